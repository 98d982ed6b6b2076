"""sum_p alpha_p S_p^2, the span estimate of the leave-one-out error."""

from __future__ import annotations

import numpy as np

from marginfs.criteria import retraining
from marginfs.criteria.machine import Machine
from marginfs.criteria.support_inverse import inverse_block, squared_spans
from marginfs.kernels import LINEAR
from marginfs.types import FloatArray


def value(machine: Machine) -> float:
    """sum_p alpha_p S_p^2 over the support vectors.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    float
        The criterion.
    """
    machine.require_hard_margin_form("span")
    s = machine.support
    return float(machine.solution.alpha[s] @ squared_spans(machine.dual_matrix[np.ix_(s, s)], machine.y[s]))


def zero(machine: Machine) -> FloatArray:
    """The estimate without each feature: alpha and the set of support vectors kept, the spans computed again.

    For the linear kernel removal is a rank-one change, and the Sherman-Morrison formula gives all spans of all features
    from one inverse; with more support vectors than features it would cancel at large C, and `_zero_primal` is used.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    ndarray of float
        One value per feature that remains.
    """
    machine.require_hard_margin_form("span")
    if machine.gram.kernel.code != LINEAR:
        return retraining.run(machine, retraining.SPAN_FIXED)
    s = machine.support
    alpha, y = machine.solution.alpha[s], machine.y[s]
    if machine.svm.ridge > 0.0 and s.size > machine.features.size:
        return _zero_primal(machine.gram.columns[:, s], alpha, machine.svm.ridge)
    P = inverse_block(machine.dual_matrix[np.ix_(s, s)], y)

    def _estimates(columns: FloatArray) -> FloatArray:
        U = columns[:, s] * y
        PU = U @ P
        room = np.maximum(1.0 - np.einsum("ki,ki->k", PU, U), 1e-12)
        return np.asarray((1.0 / (np.diag(P) + PU**2 / room[:, None])) @ alpha)

    return machine.gram.by_feature(_estimates)


def _zero_primal(columns: FloatArray, alpha: FloatArray, ridge: float) -> FloatArray:
    """`zero` of the linear kernel from matrices of the size of the features, where they are fewer than support vectors.

    With Z = [X, 1] over the support vectors, c = 1/C, E the identity but for the bias and G = Z'Z + cE, the block of
    `support_inverse` is P = (I - Z inv(G) Z') / c, the labels outside. Without feature k it gains the positive term
    t_k t_k' / (c inv(G)_kk), t_k = Z inv(G) e_k: nothing cancels, however large C is.

    Parameters
    ----------
    columns : ndarray of shape (d, m)
        Features of the support vectors.
    alpha : ndarray of shape (m,)
        Their multipliers.
    ridge : float
        1/C, positive.

    Returns
    -------
    ndarray of shape (d,)
        The estimate without each feature.
    """
    d, m = columns.shape
    Z = np.vstack([columns.T, np.sqrt(ridge) * np.eye(d)])
    Z = np.column_stack([Z, np.arange(m + d) < m])
    orthogonal, triangle = np.linalg.qr(Z)
    inverse = np.linalg.inv(triangle)[:d]
    moved = inverse @ orthogonal[:m].T
    room = np.maximum(1.0 - np.einsum("pj,pj->p", orthogonal[:m], orthogonal[:m]), np.finfo(float).eps)
    scale = np.einsum("kj,kj->k", inverse, inverse)
    return np.asarray((ridge / (room + moved**2 / scale[:, None])) @ alpha)


def zero_dual(machine: Machine) -> FloatArray:
    """The same as zero: the estimate has no dual form.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    ndarray of float
        One value per feature that remains.
    """
    return zero(machine)


def zero_retrained(machine: Machine) -> FloatArray:
    """The estimate of the machine trained without each feature.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    ndarray of float
        One value per feature that remains.
    """
    machine.require_hard_margin_form("span")
    return retraining.run(machine, retraining.SPAN)


def first(machine: Machine) -> FloatArray:
    """Derivative of the estimate, the set of support vectors being locally constant.

    With P as in `support_inverse`, d alpha = -P dQ alpha and dS_p^2 = S_p^4 (P dQ P)_pp, so the derivative is the sum
    of M_kj dQ_kj with M = P diag(alpha S^4) P - (P S^2) alpha', made symmetric. The paper prints a factor 2 before the
    term of d alpha; finite differences say 1.

    Parameters
    ----------
    machine : Machine
        The trained machine.

    Returns
    -------
    ndarray of float
        One value per feature that remains.
    """
    machine.require_hard_margin_form("span")
    s = machine.support
    alpha, y = machine.solution.alpha[s], machine.y[s]
    P = inverse_block(machine.dual_matrix[np.ix_(s, s)], y)
    spans = 1.0 / np.diag(P)
    moved = np.outer(P @ spans, alpha)
    M = (P * (alpha * spans**2)) @ P - 0.5 * (moved + moved.T)
    full = np.zeros((machine.y.size, machine.y.size))
    full[np.ix_(s, s)] = M * y * y[:, None]
    return machine.gram.slope(full)
