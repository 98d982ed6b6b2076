"""Minimisation within bounds by the interior trust region of Coleman and Li (1996), for tayal2014 (section 3.1).

affine_scaling   how far each variable is from the bound that its gradient drives it to
ball             the quadratic model inside a ball, exactly, by eigenvalues
truncated_cg     the same along conjugate gradients, with products only
lanczos          the same in a Krylov space, with products only but nearly exact
step_back        from the minimiser of the model to a point inside the bounds
reflective       the iteration
piecewise        another one for sums of hinges, whose model keeps the kinks
hinges_in_box    its subproblem
"""

from marginfs.solvers.trust_region.piecewise import HingeModel, minimise_piecewise
from marginfs.solvers.trust_region.reflective import Exit, Point, Result, minimise

__all__ = ["Exit", "HingeModel", "Point", "Result", "minimise", "minimise_piecewise"]
