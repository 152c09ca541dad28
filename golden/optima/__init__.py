"""What convex.py is made of: data sets, losses, our own way to the optimum, other programs, and the check."""
