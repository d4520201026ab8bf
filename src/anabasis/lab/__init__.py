"""The lab: run, store, compare and report."""
