"""The parts of the harness that are independent of problems, contenders and suites."""
