"""Reading and writing: maps, scenarios, archives of nouns."""
