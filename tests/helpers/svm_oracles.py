"""Slow, independent definitions: a general QP library, and geometry by least squares."""

from __future__ import annotations

import numpy as np
import piqp


def solve_qp(P, c, equality, right, upper):
    """Minimise 1/2 x'Px + c'x subject to equality.x = right, 0 <= x <= upper, by an interior point method.

    To 1e-12, or 1e-10 where rounding lets it come no closer: large bounds and points given twice.
    """
    n = c.size
    for tolerance in (1e-12, 1e-10):
        solver = piqp.DenseSolver()
        solver.settings.eps_abs = solver.settings.eps_rel = tolerance
        solver.settings.eps_duality_gap_abs = solver.settings.eps_duality_gap_rel = tolerance
        solver.setup(P, c, equality[None, :], np.array([right]), None, None, None, np.zeros(n), np.full(n, upper))
        if solver.solve() == piqp.PIQP_SOLVED:
            break
    else:
        raise AssertionError("the oracle did not converge")
    return np.maximum(solver.result.x, 0.0)


def dual_alpha(Q, y, upper=np.inf):
    return solve_qp(Q, -np.ones(y.size), y, 0.0, upper)


def squared_radius(K):
    beta = solve_qp(2 * K, -np.diag(K), np.ones(len(K)), 1.0, np.inf)
    return beta @ np.diag(K) - beta @ K @ beta


def squared_span(K, p):
    """Squared distance of point p from the affine hull of the others, in the feature space of K."""
    values, vectors = np.linalg.eigh(K)
    points = vectors * np.sqrt(np.maximum(values, 0.0))
    others = np.delete(points, p, axis=0)
    directions = (others[1:] - others[0]).T
    target = points[p] - others[0]
    nearest = directions @ np.linalg.lstsq(directions, target, rcond=None)[0]
    return np.sum((target - nearest) ** 2)
