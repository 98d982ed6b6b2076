"""The scaling of Coleman and Li (1996, section 2): optimality within bounds as a smooth system of equations.

    v_k = x_k - l_k  where g_k >= 0 and l_k is finite,   u_k - x_k  where g_k < 0 and u_k is finite,   else 1

First-order points are those with v g = 0. In the variables s / sqrt(v) the Newton model of that system has the gradient
sqrt(v) g and the matrix sqrt(v) H sqrt(v) + diag(c), where c_k = |g_k| for a finite bound, else 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from marginfs.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class ScaledModel:
    """The quadratic model g's + 1/2 s'Ms in scaled variables, M being diagonal outside some columns.

    Attributes
    ----------
    root : ndarray of shape (d,)
        sqrt(v): a scaled step times this is a step.
    gradient : ndarray of shape (d,)
        sqrt(v) g.
    shift : ndarray of shape (d,)
        c, what the bounds add to the diagonal.
    diagonal : ndarray of shape (d,)
        The diagonal of M outside `coupled`.
    coupled : ndarray of int
        Columns on which M is a full matrix.
    """

    root: FloatArray
    gradient: FloatArray
    shift: FloatArray
    diagonal: FloatArray
    coupled: IntArray

    def product(self, hessian_product: FloatArray, s: FloatArray) -> FloatArray:
        """M s, given H times the coupled part of sqrt(v) s.

        Parameters
        ----------
        hessian_product : ndarray of shape (len(coupled),)
            The product with the Hessian over the coupled columns.
        s : ndarray of shape (d,)
            Scaled step.

        Returns
        -------
        ndarray of shape (d,)
            The product.
        """
        result = self.diagonal * s
        result[self.coupled] = self.root[self.coupled] * hessian_product + self.shift[self.coupled] * s[self.coupled]
        return result


def scaled_model(
    x: FloatArray,
    gradient: FloatArray,
    diagonal: FloatArray,
    coupled: IntArray,
    lower: FloatArray,
    upper: FloatArray,
) -> ScaledModel:
    """Scale the model at x.

    Parameters
    ----------
    x : ndarray of shape (d,)
        A point inside the bounds.
    gradient : ndarray of shape (d,)
        Gradient there.
    diagonal : ndarray of shape (d,)
        Diagonal of the Hessian, used outside `coupled`.
    coupled : ndarray of int
        Columns on which the Hessian is a full matrix.
    lower, upper : ndarray of shape (d,)
        Bounds; infinite where there is none.

    Returns
    -------
    ScaledModel
        The model.
    """
    distance = np.where(gradient >= 0.0, x - lower, upper - x)
    finite = np.isfinite(distance)
    root = np.sqrt(np.where(finite, distance, 1.0))
    shift = np.where(finite, np.abs(gradient), 0.0)
    return ScaledModel(root, root * gradient, shift, root * root * diagonal + shift, coupled)
