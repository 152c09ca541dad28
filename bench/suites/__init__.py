"""The suites, one file each."""

from suites import reading

ALL = {suite.name: suite for suite in [reading.SUITE]}
