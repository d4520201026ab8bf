"""One hash of what every discretisation makes of a few small worlds."""

import numpy as np
from lattice_worlds import polygon_worlds

from anabasis.decompose.lattices import CORNERS, OVERLAP, lattice_cells
from anabasis.decompose.quadtree import quadtree_cells
from anabasis.decompose.roadmap import prm, prm_star
from anabasis.decompose.tiling import NEIGHBOURS
from anabasis.grid import Grid
from anabasis.noun import state_hash


def digest() -> str:
    """Return the hash."""
    rng = np.random.default_rng(6)
    cost = np.where(rng.random((9, 13)) < 0.3, np.inf, rng.integers(1, 3, (9, 13)))
    grid = Grid(cost, np.where(np.isinf(cost), ord("@"), ord(".")).astype(np.uint8))
    hashes: list[str] = []
    for number, space in enumerate([grid, *polygon_worlds(2, seed=12)]):
        for kind, counts in NEIGHBOURS.items():
            for neighbours in counts:
                corners, overlap = CORNERS[number % 3], OVERLAP[number % 2]
                cells = lattice_cells(space, kind, edge=1.5, neighbours=neighbours, corners=corners, overlap=overlap)
                hashes.append(state_hash(cells))
        hashes.append(state_hash(quadtree_cells(space, edge=1.0)))
        hashes += [state_hash(make(space, samples=40, seed=number)) for make in (prm, prm_star)]
    return state_hash(hashes)


if __name__ == "__main__":
    print(digest())
