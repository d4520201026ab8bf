"""Decompose: cut a map into pieces that planners reason about."""
