"""Land: from heights to terrain: levels, palettes, climate, bands, slopes, erosion."""
