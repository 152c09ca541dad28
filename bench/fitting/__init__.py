"""Parts of the fitting suite: objective, tolerance ladders, memory bandwidth."""
