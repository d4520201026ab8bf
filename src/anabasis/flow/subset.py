"""Subset: which routes to cross so that their amounts suffice and the least is left over.

Subsets are enumerated by size; once a subset reaches the required amount none of its supersets is looked at, which
leaves the minimal ones (the pruning of R. Agrawal, R. Srikant, "Fast algorithms for mining association rules", 1994, as
used by J. Pacovský, "Navigation of units in video games using flow networks", 2019).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

__all__ = ["MOST_SUBSETS", "greedy_subset", "minimal_subsets", "sufficient_subset"]

MOST_SUBSETS = 20_000  # looked at, before a greedy choice is taken instead

Subset = tuple[int, ...]


def sufficient_subset(amounts: Sequence[int], required: int) -> Subset:
    """Return the indices of a minimal subset of sum ≥ required with the least excess, in ascending order.

    Ties go to the fewest members, then to the lowest indices. All are taken if their sum is below what is required.
    With more than MOST_SUBSETS subsets to look at, the best of those seen and of a greedy choice is returned.
    """
    everything = tuple(range(len(amounts)))
    total = sum(amounts)
    if total <= required or all(total - amount < required for amount in amounts):
        return everything

    def rank(subset: Subset) -> tuple[int, int, Subset]:
        return sum(amounts[i] for i in subset) - required, len(subset), subset

    best = greedy_subset(amounts, required)
    for subset in minimal_subsets(amounts, required, most=MOST_SUBSETS):
        best = min(best, subset, key=rank)
        if rank(subset)[0] == 0:
            break
    return best


def minimal_subsets(amounts: Sequence[int], required: int, *, most: int | None = None) -> Iterator[Subset]:
    """Yield all subsets with a sum ≥ required > 0 that none of their members can leave, the smallest first.

    Subsets of equal size come in lexicographic order. most: how many subsets to look at.
    """
    short: list[Subset] = [()]
    looked = 0
    while short:
        known = set(short)
        longer: list[Subset] = []
        for subset in short:
            for i in range(subset[-1] + 1 if subset else 0, len(amounts)):
                grown = (*subset, i)
                if any(grown[:k] + grown[k + 1 :] not in known for k in range(len(subset))):
                    continue  # some smaller subset suffices
                looked += 1
                if most is not None and looked > most:
                    return
                if sum(amounts[k] for k in grown) >= required:
                    yield grown
                else:
                    longer.append(grown)
        short = longer


def greedy_subset(amounts: Sequence[int], required: int) -> Subset:
    """Return a minimal sufficient subset: the largest first, then whoever is not needed leaves, the smallest first."""
    chosen: list[int] = []
    total = 0
    for i in sorted(range(len(amounts)), key=lambda i: (-amounts[i], i)):
        if total >= required:
            break
        chosen.append(i)
        total += amounts[i]
    for i in reversed(chosen.copy()):
        if total - amounts[i] >= required:
            chosen.remove(i)
            total -= amounts[i]
    return tuple(sorted(chosen))
