"""Flow: split a group over routes so that the last unit arrives soonest."""
