"""Where the nodes of a picture lie: ranks from top to bottom, and an order within each rank.

Sugiyama's method: edges that go back are turned for the layout, a node's rank is the longest way to
it, long edges pass through a bend in each rank, and nodes move to the mean position of their
neighbours, sweep by sweep, so that few edges cross.
"""

from __future__ import annotations

from typing import NamedTuple

SWEEPS = 8
MOST_BENDS = 4000  # beyond, long edges go straight
GAP = 18.0
BEND = 10.0  # width that an edge has in a rank it passes


class Layout(NamedTuple):
    """Centres of the nodes, and for each edge the points that it goes through."""

    centres: list[tuple[float, float]]
    paths: dict[tuple[int, int], list[tuple[float, float]]]
    width: float
    height: float


def lay_out(widths: list[float], edges: list[tuple[int, int]], rank_height: float) -> Layout:
    """Lay out nodes of the given widths; an edge is (from, to) by positions."""
    down = sorted({(min(a, b), max(a, b)) for a, b in edges if a != b})
    rank = _ranks(len(widths), down)
    all_widths = list(widths)
    chains = _chains(down, rank, all_widths)
    rows = _rows(rank)
    above, below = _neighbours(chains, rank)
    _order(rows, above, below)
    x = _coordinates(rows, all_widths, above, below)
    left = min([x[i] - w / 2 for i, w in enumerate(all_widths)], default=0.0)
    right = max([x[i] + w / 2 for i, w in enumerate(all_widths)], default=0.0)
    points = [(x[i] - left + GAP, rank[i] * rank_height + rank_height / 2)
              for i in range(len(all_widths))]
    paths = {}
    for a, b in edges:
        chain = chains.get((min(a, b), max(a, b)), [a, b])
        paths[a, b] = [points[i] for i in (chain if a < b else chain[::-1])]
    return Layout(points[:len(widths)], paths, right - left + 2 * GAP,
                  (max(rank, default=0) + 1) * rank_height)


def _ranks(count: int, edges: list[tuple[int, int]]) -> list[int]:
    """The longest way to each node; then leaves, and what is made of leaves alone, move down to
    their users."""
    rank = [0] * count
    for a, b in sorted(edges, key=lambda edge: edge[0]):
        rank[b] = max(rank[b], rank[a] + 1)
    users: dict[int, list[int]] = {}
    made = {b for _, b in edges}
    deep = {b for a, b in edges if a in made}  # made of what is no leaf
    for a, b in edges:
        users.setdefault(a, []).append(b)
    for node in sorted(set(users) - deep, key=lambda node: node not in made):
        rank[node] = min(rank[user] for user in users[node]) - 1
    return rank


def _chains(edges: list[tuple[int, int]], rank: list[int],
            widths: list[float]) -> dict[tuple[int, int], list[int]]:
    """For each edge its nodes and, in the ranks between, its bends, which are added to the lists.
    """
    spans = sum(rank[b] - rank[a] - 1 for a, b in edges)
    chains = {}
    for a, b in edges:
        chain = [a]
        for one in range(rank[a] + 1, rank[b]) if spans <= MOST_BENDS else ():
            chain.append(len(widths))
            widths.append(BEND)
            rank.append(one)
        chains[a, b] = [*chain, b]
    return chains


def _rows(rank: list[int]) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(max(rank, default=-1) + 1)]
    for node, one in enumerate(rank):
        rows[one].append(node)
    return rows


def _neighbours(chains: dict[tuple[int, int], list[int]],
                rank: list[int]) -> tuple[list[list[int]], list[list[int]]]:
    """The nodes above and below each; a long edge without bends makes none."""
    above: list[list[int]] = [[] for _ in rank]
    below: list[list[int]] = [[] for _ in rank]
    for chain in chains.values():
        for a, b in zip(chain, chain[1:], strict=False):
            if rank[b] - rank[a] == 1:
                below[a].append(b)
                above[b].append(a)
    return above, below


def _order(rows: list[list[int]], above: list[list[int]], below: list[list[int]]) -> None:
    """Sort each rank by the mean position of the neighbours in the ranks before, then after."""
    place = {node: float(i) for row in rows for i, node in enumerate(row)}
    for sweep in range(SWEEPS):
        near = above if sweep % 2 == 0 else below
        for row in rows if sweep % 2 == 0 else reversed(rows):
            keys = {node: sum(place[one] for one in near[node]) / len(near[node])
                    if near[node] else place[node] for node in row}
            row.sort(key=lambda node: keys[node])
            place.update({node: float(i) for i, node in enumerate(row)})


def _coordinates(rows: list[list[int]], widths: list[float], above: list[list[int]],
                 below: list[list[int]]) -> list[float]:
    """Horizontal centres: towards the neighbours, as far apart as the widths demand."""
    x = [0.0] * len(widths)
    for row in rows:
        at = -sum(widths[node] + GAP for node in row) / 2
        for node in row:
            x[node] = at + widths[node] / 2
            at += widths[node] + GAP
    for sweep in range(SWEEPS):
        near = above if sweep % 2 == 0 else below
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = [sum(x[one] for one in near[node]) / len(near[node]) if near[node]
                      else x[node] for node in row]
            ties = [len(above[node]) + len(below[node]) for node in row]
            _place(row, wanted, widths, x, ties.index(max(ties)))
    return x


def _place(row: list[int], wanted: list[float], widths: list[float], x: list[float],
           fixed: int) -> None:
    """Nodes of a rank to where they want; the fixed one stays, others are pushed away from it."""
    at = list(wanted)
    for i in range(fixed + 1, len(row)):
        at[i] = max(at[i], at[i - 1] + (widths[row[i - 1]] + widths[row[i]]) / 2 + GAP)
    for i in range(fixed - 1, -1, -1):
        at[i] = min(at[i], at[i + 1] - (widths[row[i]] + widths[row[i + 1]]) / 2 - GAP)
    for node, centre in zip(row, at, strict=True):
        x[node] = centre
