"""The studio: a page in the browser, its server and the work it asks for. `docs/studio.md` says how it is built."""
