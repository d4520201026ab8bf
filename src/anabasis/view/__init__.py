"""Pictures: scenes of every noun and stage, drawn as SVG, PNG or GIF."""
