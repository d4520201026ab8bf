"""Search: shortest paths for one unit, and the group plans made of them."""
