"""Speed of tayal2014's methods, as ratios of CPU time to a baseline, measured in one run on one thread.

    python tests/benchmarks/bench_tayal.py [--quick]

1. AO-EFS fits on NDCC (200 x 120) against the same alternation with fides, which gets an explicit Hessian at every
   point and solves its subproblem by eigenvalues; and how often ours ends as low (within 1 %) in the first subproblem.
2. GMKL on NDCC against projected descent with libsvm and gradients feature by feature.
3. Where the time of one fit goes, at 200 x 120 and at 2000 x 500, with the peak memory; growth in n and in d.
"""

from __future__ import annotations

import argparse
import cProfile
import logging
import pstats
import resource
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fides
import numpy as np
from sklearn.svm import SVC

from marginfs.criteria.feature_weights import KernelForm
from marginfs.criteria.fixed_machine import FixedMachine
from marginfs.searches import alternating
from marginfs.searches.alternating import Scheme, alternate
from marginfs.searches.first_machines import FirstMachines
from marginfs.searches.projected_descent import descend
from marginfs.selectors.ao_efs import ao_efs
from marginfs.selectors.gmkl import gmkl
from marginfs.solvers.trust_region import Exit, Result

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))
from ndcc_draws import ndcc_parts

RNG = np.random.default_rng(0)
SCHEME = {"margin": "functional", "weaker_stop": True}
PARTS = {
    "SVM": ("smoothed_svm.py", ("solve_smoothed",)),
    "trust region": ("reflective.py", ("minimise",)),
    "kernel products": ("feature_weights.py", ("product", "hessian", "q", "gaussian")),
}


def cpu_seconds(task: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[float, Any]:
    """CPU time of one call, and its result."""
    start = time.process_time()
    result = task(*arguments, **options)
    return time.process_time() - start, result


def by_fides(evaluate, z, *, lower, radius, largest, max_iterations) -> Result:
    """The trust region of fides in the place of ours: explicit Hessians over all columns, in double precision."""
    objective = evaluate.__self__

    def all_orders(z):
        point = objective.evaluate(z)
        H = np.zeros((z.size, z.size))
        H[np.ix_(point.live, point.live)] = explicit_hessian(point.form)
        return point.value, point.gradient, H

    options = {
        fides.Options.MAXITER: max_iterations,
        fides.Options.FATOL: 1e-6,
        fides.Options.FRTOL: 1e-6,
        fides.Options.GATOL: 1e-9,
        fides.Options.DELTA_INIT: radius,
    }
    optimiser = fides.Optimizer(
        all_orders, ub=np.full(z.size, np.inf), lb=np.zeros(z.size), verbose=logging.CRITICAL, options=options
    )
    first = objective.evaluate(z).value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        value, x, *_ = optimiser.minimize(z)
    x = np.maximum(x, 0.0)
    return Result(x, objective.evaluate(x), Exit.CONVERGED, optimiser.iteration, np.array([first, value]))


def explicit_hessian(form: KernelForm) -> np.ndarray:
    """4 zz' sum_ij c_i P_ij D_ijk D_ijl + J'RJ - 2 diag(q) over all columns: a matrix product for every column."""
    A, B, P, z = form.A, form.B, form.P, form.z
    A2, B2, W = A * A, B * B, form.c[:, None] * form.P
    J = -2.0 * z * (P.sum(axis=1)[:, None] * A2 + P @ B2 - 2.0 * A * (P @ B))
    mixed = A2.T @ (W @ B2) - 2.0 * (A * (W @ B)).T @ A2 - 2.0 * (B * (W.T @ A)).T @ B2
    fourth = A2.T @ (W.sum(axis=1)[:, None] * A2) + B2.T @ (W.sum(axis=0)[:, None] * B2) + mixed + mixed.T
    for k in range(z.size):
        pairs = 4.0 * np.einsum("il,il->l", A[:, k, None] * A[:, k:], W @ (B[:, k, None] * B[:, k:]))
        fourth[k, k:] += pairs
        fourth[k + 1 :, k] += pairs[1:]
    H = 4.0 * np.outer(z, z) * fourth + J.T @ form.answer(J)
    H[np.diag_indices_from(H)] -= 2.0 * form.q
    return 0.5 * (H + H.T)


def against_fides(seeds: range, grid: list[tuple[int, int]]) -> bool:
    """AO-EFS with both trust regions, from the same first machines."""
    ours = theirs = 0.0
    low = found = found_by_fides = 0
    own_minimise = alternating.minimise
    for seed in seeds:
        (X, y), *_ = ndcc_parts(seed)
        first = FirstMachines(X, y)
        for log_C, log_mu in grid:
            machine, scheme = first.at(2.0**log_C), Scheme(**SCHEME, mu=2.0**log_mu)
            fits = []
            for trust_region in (own_minimise, by_fides):
                alternating.minimise = trust_region
                fits.append(cpu_seconds(alternate, X, y, machine, scheme, C=2.0**log_C, epsilon=0.5))
            alternating.minimise = own_minimise
            (own_time, own), (fides_time, other) = fits
            ours, theirs = ours + own_time, theirs + fides_time
            low += own.subproblem[0, 1] <= 1.01 * other.subproblem[0, 1]
            found, found_by_fides = found + recovers(own.z), found_by_fides + recovers(other.z)
    fits_made = len(seeds) * len(grid)
    note = f"{low} of {fits_made} as low; >= 18 true and <= 2 false: {found} against {found_by_fides}"
    fast = line("AO-EFS 200 x 120; peer: fides", ours / fits_made, theirs / fits_made, 20, note)
    return fast and low >= 0.8 * fits_made


def recovers(z: np.ndarray) -> bool:
    """Whether the 20 true columns are found, nearly."""
    used = z >= 0.01 * z.max()
    return bool(used[:20].sum() >= 18 and used[20:].sum() <= 2 and z.any())


class DirectGMKL:
    """GMKL's objective by libsvm, a kernel matrix by broadcasting, and a gradient feature by feature."""

    def __init__(self, X, y, C, mu):
        self.X, self.y, self.C, self.mu = X, y, C, mu

    def evaluate(self, z):
        self.z = z
        squares = ((self.X * z)[:, None, :] - (self.X * z)[None, :, :]) ** 2
        self.K = np.exp(-squares.sum(axis=2))
        machine = SVC(C=self.C, kernel="precomputed", tol=1e-6, cache_size=500).fit(self.K, self.y)
        b = np.zeros(self.y.size)
        b[machine.support_] = machine.dual_coef_[0]
        W = np.outer(b, b) * self.K
        slope = [(W * (x[:, None] - x) ** 2).sum() for x in self.X.T]
        return DirectPoint(np.abs(b).sum() - 0.5 * b @ self.K @ b + self.mu * z.sum(), self.mu + z * np.array(slope))


class DirectPoint:
    """Value and gradient."""

    def __init__(self, value, gradient):
        self.value, self.gradient = value, gradient


def against_libsvm(seeds: range, grid: list[tuple[int, int]]) -> bool:
    """GMKL, both from weights of one by the same descent."""
    ours = theirs = 0.0
    gap = 0.0
    for seed in seeds:
        (X, y), *_ = ndcc_parts(seed)
        for log_C, log_mu in grid:
            C, mu = 2.0**log_C, 2.0**log_mu
            own_time, own = cpu_seconds(gmkl, X, y, rng=RNG, C=C, mu=mu, zero_share=0.0)
            direct = DirectGMKL(X, y, C, mu)
            their_time, other = cpu_seconds(descend, direct.evaluate, np.ones(X.shape[1]))
            ours, theirs = ours + own_time, theirs + their_time
            gap = max(gap, abs(own.trace["objective"][-1] / other.values[-1] - 1.0))
    fits_made = len(seeds) * len(grid)
    note = f"objectives differ by {100 * gap:.2g} % at most"
    return line("GMKL 200 x 120; peer: libsvm", ours / fits_made, theirs / fits_made, 10, note)


def shares(n: int, noise: int, log_C: int, log_mu: int) -> None:
    """Where the time of one AO-EFS fit goes."""
    ((X, y),) = ndcc_parts(0, (n,), noise)
    profile = cProfile.Profile(time.process_time)
    profile.enable()
    selection = ao_efs(X, y, rng=RNG, C=2.0**log_C, mu=2.0**log_mu)
    profile.disable()
    stats = pstats.Stats(profile)
    spent = dict.fromkeys(PARTS, 0.0)
    for (file, _, name), (_, _, _, cumulative, _) in stats.stats.items():
        for part, (module, functions) in PARTS.items():
            if Path(file).name == module and name in functions:
                spent[part] += cumulative
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    parts = ", ".join(f"{part} {100 * seconds / stats.total_tt:.0f} %" for part, seconds in spent.items())
    print(
        f"| AO-EFS {n} x {20 + noise}: {parts} (the products are inside the trust region) | {stats.total_tt:.2f} s "
        f"| peak {memory:.2f} GB | | | | {selection.selected} features, {selection.trace['iterations']} iterations |",
        flush=True,
    )


def growth() -> None:
    """One value, gradient and product, as n and d double."""
    for n, d in ((200, 120), (400, 120), (800, 120), (200, 240), (200, 480)):
        ((X, y),) = ndcc_parts(0, (n,), d - 20)
        z, C = np.full(d, 3.0 / np.sqrt(d)), 0.25
        machine = FirstMachines(X, y).at(C)
        problem = FixedMachine(X, y, machine.coefficients, machine.bias, C=C, mu=0.1, epsilon=0.5, margin="functional")
        point = problem.evaluate(z)
        point.product(np.ones(d))
        value, product = (
            1e3 * min(cpu_seconds(call, z)[0] for _ in range(20)) for call in (problem.evaluate, point.product)
        )
        solve, _ = cpu_seconds(FirstMachines(X, y).at, C)
        times = f"value {value:.2f} ms, Hessian product {product:.2f} ms, first machine {1e3 * solve:.1f} ms"
        print(f"| growth, {n} x {d}: {times} | | | | | | |", flush=True)


def line(what: str, ours: float, theirs: float, target: float, note: str) -> bool:
    """Print one row of the table."""
    ratio = theirs / ours
    met = "yes" if ratio >= target else "NO"
    print(f"| {what} | {ours:.4g} s | {theirs:.4g} s | {ratio:.1f} | >= {target:g} | {met} | {note} |", flush=True)
    return ratio >= target


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one draw and no 2000 x 500, to see that it runs")
    quick = parser.parse_args().quick
    grid = [(-3, -4)] if quick else [(log_C, log_mu) for log_C in (-3, -2, -1) for log_mu in (-6, -4, -2)]
    ao_efs(*ndcc_parts(99)[0], rng=RNG, C=0.25, mu=0.1)
    gmkl(*ndcc_parts(99)[0], rng=RNG, C=0.25, mu=0.1)
    print("| what | ours | peer | ratio | target | met | note |\n|---|---|---|---|---|---|---|")
    seeds = range(1 if quick else 5)
    met = [against_fides(seeds, grid), against_libsvm(range(1), grid)]
    shares(200, 100, -3, -4)
    if not quick:
        shares(2000, 480, -4, -4)
        growth()
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
