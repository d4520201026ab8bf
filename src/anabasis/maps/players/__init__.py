"""Players: fair starts, resources, towns and roads, barriers with passes, and ground that hangs together."""
