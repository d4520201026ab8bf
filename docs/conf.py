"""How the documentation is built."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import anabasis

project = "Anabasis"
author = "The Anabasis developers"
release = anabasis.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "method_cards", "generator_cards"]
html_theme = "pydata_sphinx_theme"
html_title = "Anabasis"
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"

# types in signatures such as `set` are also names of attributes, several of them: no fault of a page
suppress_warnings = ["ref.python"]
