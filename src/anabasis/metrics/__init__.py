"""Measures of paths, plans and runs, and validators that share no code with what they check."""
