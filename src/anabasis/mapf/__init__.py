"""Multi-agent path finding: many agents on one map, none in another's way."""
