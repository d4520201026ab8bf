"""Bound: before which step the last unit of a group can't have arrived, whatever the method."""
