"""Maps: worlds made by rule and seed: terrain, rooms, caves, cities, rivers and forests."""
