"""Pictures: scenes made of nouns, drawn as SVG or pixels."""
