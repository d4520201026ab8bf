"""`python -m anabasis` is the command `anabasis`."""

from __future__ import annotations

from anabasis.cli import main

if __name__ == "__main__":  # worker processes import this module too
    main()
