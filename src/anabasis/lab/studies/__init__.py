"""Studies: one module for each published study that is run again."""
