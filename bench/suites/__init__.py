"""Suites, one file each."""

from suites import closed, comparing, fitting, reading

ALL = {
    suite.name: suite for suite in [reading.SUITE, fitting.SUITE, closed.SUITE, comparing.SUITE]
}
