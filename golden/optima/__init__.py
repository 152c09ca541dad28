"""Parts of convex.py: data sets, losses, our solver, other programs, and the check."""
