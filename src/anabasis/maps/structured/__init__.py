"""Structured maps: the families of the benchmarks, each a rule for which cells are free."""
