"""Reading and writing: maps, images, scenarios and the archive of nouns."""
