"""What the studio asks for: one module a kind of job, each a function `(args, out)`; see `jobs`."""
