"""Formations: groups that keep their shape through terrain."""
