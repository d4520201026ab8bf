"""Cover: forests by species, by protection zones, by jittered grid, by a small ecosystem; as obstacle or resource."""
