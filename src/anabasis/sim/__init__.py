"""The simulator: units that steer, one step at a time."""
