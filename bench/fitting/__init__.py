"""What the fitting suite is made of: the objective, ladders of tolerances, and the bandwidth."""
