"""The parts of the harness that know nothing of any problem, contender or suite."""
