"""Worlds: whole game maps, one module a kind of land, and what lives on them."""
