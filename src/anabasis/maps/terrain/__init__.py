"""Terrain: height fields made by rule and seed."""
