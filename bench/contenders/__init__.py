"""Contenders of the benchmarks, one file each, in a folder per suite."""
