"""The selectors of tayal2014: descent, second order, other optimisers, sweeps, and input that is bad."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from marginfs.criteria.fixed_machine import FixedMachine
from marginfs.criteria.hinge_machine import HingeMachine
from marginfs.criteria.solved_machine import SolvedMachine
from marginfs.criteria.zero_weights import penalty_of_zero
from marginfs.errors import ConfigError, DataError
from marginfs.searches.alternating import Scheme, alternate
from marginfs.searches.first_machines import FirstMachines
from marginfs.searches.projected_descent import Descent, descend
from marginfs.selectors.ao_efs import ao_efs, ao_efs_sweep
from marginfs.selectors.full_fs import full_fs, full_fs_sweep
from marginfs.selectors.gaussian_svm import gaussian_svm, gaussian_svm_sweep, machines_along
from marginfs.selectors.gmkl import gmkl, gmkl_sweep
from marginfs.selectors.margin_sharing_ao import margin_sharing_ao, margin_sharing_ao_sweep
from marginfs.selectors.simple_ao import simple_ao, simple_ao_sweep
from marginfs.solvers.svm_dual import solve_dual
from marginfs.solvers.svm_options import Svm
from marginfs.solvers.trust_region import minimise
from ndcc_draws import ndcc_parts
from smooth_points import differences

RNG = np.random.default_rng(0)
EMBEDDED = {
    ao_efs: ao_efs_sweep,
    full_fs: full_fs_sweep,
    gmkl: gmkl_sweep,
    margin_sharing_ao: margin_sharing_ao_sweep,
    simple_ao: simple_ao_sweep,
}
methods = pytest.mark.parametrize("method", list(EMBEDDED), ids=lambda method: method.__name__)


def xor(seed=0, n=80, d=8):
    """Columns 0 and 1 decide together, neither alone."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    X[:, :2] += 1.5 * np.sign(X[:, :2])
    return (X - X.mean(axis=0)) / X.std(axis=0), np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)


@methods
def test_the_two_columns_that_matter_are_found(method):
    X, y = xor()
    selection = method(X, y, rng=RNG, C=1.0, mu=0.5)
    assert set(selection.ranking[: selection.selected]) == {0, 1}
    assert sorted(selection.ranking) == list(range(8))
    K = np.exp(-(((X[:, None] - X) * selection.model["weights"]) ** 2).sum(axis=2))
    scores = K @ selection.model["coefficients"] + selection.model["bias"]
    assert np.mean(y * scores <= 0) <= 0.05
    assert np.isfinite(selection.trace["objective"]).all()


@methods
def test_any_two_labels_give_the_same_selection(method):
    X, y = xor(1)
    plain = method(X, y, rng=RNG, C=1.0, mu=0.5)
    named = method(X, np.where(y > 0, "yes", "no"), rng=RNG, C=1.0, mu=0.5)
    np.testing.assert_array_equal(plain.model["weights"], named.model["weights"])


@methods
def test_penalties_given_as_integers_are_the_same_numbers(method):
    X, y = xor(1)
    whole, real = method(X, y, rng=RNG, C=2, mu=1), method(X, y, rng=RNG, C=2.0, mu=1.0)
    np.testing.assert_array_equal(whole.model["weights"], real.model["weights"])


@methods
def test_a_sweep_gives_what_single_calls_give_bit_for_bit(method):
    X, y = xor(2)
    penalties = [2.0**k for k in (-4, -1, 0, 3, 6, 9)]
    for C, swept in zip(penalties, EMBEDDED[method](X, y, rng=RNG, C=penalties, mu=0.25), strict=True):
        alone = method(X, y, rng=RNG, C=C, mu=0.25)
        np.testing.assert_array_equal(swept.ranking, alone.ranking)
        for name, array in alone.model.items():
            np.testing.assert_array_equal(swept.model[name], array)


def test_machines_at_the_start_are_shared_by_all_mu():
    X, y = xor(3)
    first = FirstMachines(X, y)
    for mu in (0.1, 1.0):
        shared = next(ao_efs_sweep(X, y, rng=RNG, C=[0.5], mu=mu, first=first))
        np.testing.assert_array_equal(shared.model["weights"], ao_efs(X, y, rng=RNG, C=0.5, mu=mu).model["weights"])
    assert first.at(0.5) is first.at(0.5)


@pytest.mark.parametrize("margin", ["none", "geometric", "functional"])
def test_each_schemes_own_objective_never_rises(margin):
    for seed in range(4):
        X, y = xor(seed)
        scheme = Scheme(margin=margin, weaker_stop=margin == "functional", mu=0.3)
        found = alternate(X, y, FirstMachines(X, y).at(0.5), scheme, C=0.5, epsilon=0.5)
        assert np.all(found.subproblem[:, 1] <= found.subproblem[:, 0])
        if margin != "functional":
            assert np.all(np.diff(found.objective) <= 1e-9 * found.objective[:-1])
            assert np.all(found.objective[1:] <= found.subproblem[:, 1] + 1e-9)


def test_full_fs_ends_at_a_second_order_point_as_low_as_another_optimiser():
    for seed in range(3):
        X, y = xor(seed, d=5)
        selection = full_fs(X, y, rng=RNG, C=1.0, mu=0.3, zero_share=0.0, tol=1e-12)
        problem = SolvedMachine(X, y, C=1.0, mu=0.3, epsilon=0.5)
        z = selection.model["weights"]
        free = np.flatnonzero(z > 1e-4)
        gradient = problem.evaluate(z).gradient
        np.testing.assert_allclose(gradient[free], 0.0, atol=1e-3)
        assert np.all(gradient[z <= 1e-4] > 0.0)
        H = differences(lambda x, problem=problem: problem.evaluate(x).gradient, z, 1e-6)[np.ix_(free, free)]
        assert np.linalg.eigvalsh(0.5 * (H + H.T))[0] >= -1e-4
        value = lambda x, problem=problem: (problem.evaluate(x).value, problem.evaluate(x).gradient)  # noqa: E731
        other = minimize(value, z * 1.1 + 0.01 * (z > 0), jac=True, bounds=[(0, None)] * 5, method="L-BFGS-B")
        assert selection.trace["objective"][-1] <= other.fun + 1e-5


@pytest.mark.parametrize("variable", ["z", "d"])
def test_gmkl_reaches_the_optimum_of_another_optimiser_from_the_same_start(variable):
    X, y = xor(0, d=4)
    problem = HingeMachine(X, y, C=1.0, mu=0.5, variable=variable, tol=1e-10)
    found = descend(problem.evaluate, np.ones(4), max_iterations=2000, max_evaluations=20_000, fall=1e-12)
    value = lambda w: (problem.evaluate(w).value, problem.evaluate(w).gradient)  # noqa: E731
    other = minimize(value, np.ones(4), jac=True, bounds=[(0, None)] * 4, method="L-BFGS-B")
    assert found.end in (Descent.CONVERGED, Descent.STALLED)
    assert found.values[-1] == pytest.approx(other.fun, rel=1e-4)
    assert np.all(np.diff(found.values) <= 0.0)


@pytest.mark.parametrize("method", [full_fs, margin_sharing_ao, simple_ao, gmkl])
def test_weights_proven_to_be_zero_are_zero_and_flagged(method):
    X, y = xor(4)
    mu = penalty_of_zero(X, y, C=0.5, epsilon=0.0 if method is gmkl else 0.5)
    proven = method(X, y, rng=RNG, C=0.5, mu=1.001 * mu)
    assert proven.selected == 0
    assert proven.trace["exit"] == "proven_zero"
    searched = method(X, y, rng=RNG, C=0.5, mu=0.999 * mu)
    assert searched.selected == 0
    assert searched.trace["exit"] == "collapsed"
    assert searched.trace["objective"][-1] == pytest.approx(proven.trace["objective"][-1], rel=1e-6)


def test_where_no_multiplier_is_bounded_a_larger_penalty_changes_nothing():
    X, y = xor(5)
    swept = list(gmkl_sweep(X, y, rng=RNG, C=[2.0**10, 2.0**15], mu=0.25))
    assert swept[0] is swept[1]
    np.testing.assert_allclose(swept[0].model["weights"], gmkl(X, y, rng=RNG, C=2.0**15, mu=0.25).model["weights"])


def test_also_where_the_box_mattered_to_a_step_that_was_refused():
    X, y = xor(5)
    problem = HingeMachine(X, y, C=2.0, mu=1.0)
    visited, refused = [], []

    def evaluate(w):
        point = problem.evaluate(w)
        (refused if point.bounded else visited).append(point)
        return point

    descend(evaluate, np.ones(8))
    assert refused
    assert not problem.bounded
    first, second = gmkl_sweep(X, y, rng=RNG, C=[2.0, 2.0**15], mu=1.0)
    assert first is second
    np.testing.assert_allclose(
        first.model["weights"], gmkl(X, y, rng=RNG, C=2.0**15, mu=1.0).model["weights"], rtol=1e-4
    )


def test_at_a_large_penalty_the_feature_subproblem_converges_and_ends_lower_than_by_a_smooth_model():
    (X, y), *_ = ndcc_parts(0, (120, 10), noise=20)
    C, mu = 2.0**6, 0.25
    machine = FirstMachines(X, y).at(C)
    problem = FixedMachine(X, y, machine.coefficients, machine.bias, C=C, mu=mu, epsilon=0.5, margin="functional")
    smooth = minimise(problem.evaluate, np.ones(40), lower=0.0, max_iterations=300)
    found = alternate(X, y, machine, Scheme("functional", True, mu, max_rounds=1), C=C, epsilon=0.5)
    assert found.unfinished == 0
    assert found.subproblem[0, 1] < 0.9 * smooth.values[-1]
    assert (found.z > 0.01 * found.z.max()).sum() < 40


def test_the_plain_machine_equals_libsvm_along_the_sweep():
    from sklearn.svm import SVC

    X, y = xor(6)
    penalties = [2.0**k for k in range(-5, 16, 4)]
    for C, selection in zip(penalties, gaussian_svm_sweep(X, y, rng=RNG, C=penalties, sigma=2.0), strict=True):
        oracle = SVC(C=C, gamma=1 / 4, tol=1e-8).fit(X, y)
        K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) * selection.model["weights"][0] ** 2)
        scores = K @ selection.model["coefficients"] + selection.model["bias"]
        np.testing.assert_allclose(scores, oracle.decision_function(X), atol=1e-4)
        alone = gaussian_svm(X, y, rng=RNG, C=C, sigma=2.0)
        np.testing.assert_allclose(selection.model["coefficients"], alone.model["coefficients"], atol=1e-4 * C)
        assert selection.selected == 8


@pytest.mark.parametrize("sigma", [0.1, 2.0, 30.0])
def test_each_machine_along_the_sweep_takes_fewer_moves_than_one_from_nothing(sigma):
    X, y = xor(7, n=200)
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / sigma**2)
    penalties = [2.0**k for k in range(-5, 16)]
    path = list(machines_along(K, y, penalties, 1e-6))
    alone = [solve_dual(K, y, Svm(C=C, slack="l1", tol=1e-6)) for C in penalties]
    for near, far in zip(path, alone, strict=True):
        assert near.objective == pytest.approx(far.objective, rel=1e-6)
    assert 3 * sum(machine.iterations for machine in path) < sum(machine.iterations for machine in alone)


def test_points_of_both_classes_in_one_place_have_machines_for_every_c():
    machines = machines_along(np.ones((6, 6)), np.array([1.0, 1.0, -1.0] * 2), [0.5, 1.0, 2.0], 1e-6)
    assert [machine.objective for machine in machines] == pytest.approx([2.0, 4.0, 8.0])


@methods
@pytest.mark.parametrize("option", ["C", "mu"])
def test_penalties_of_zero_are_refused(method, option):
    X, y = xor()
    with pytest.raises(ConfigError, match=f"{option} is 0"):
        method(X, y, rng=RNG, **{"C": 1.0, "mu": 1.0, option: 0.0})


@methods
def test_bad_data_ends_in_words(method):
    X, y = xor()
    with pytest.raises(DataError, match="single class"):
        method(X, np.ones(y.size), rng=RNG, C=1.0, mu=1.0)
    with pytest.raises(DataError, match="missing"):
        method(np.where(X > 2, np.nan, X), y, rng=RNG, C=1.0, mu=1.0)


@methods
@pytest.mark.parametrize("C", [2.0**-5, 2.0**6, 2.0**15, 1e12])
def test_a_constant_column_and_duplicates_of_opposite_class_do_no_harm(method, C):
    X, y = xor(7, n=40)
    X = np.c_[np.r_[X, X[:20]], np.zeros(60)]
    selection = method(X, np.r_[y, -y[:20]], rng=RNG, C=C, mu=0.5)
    if C <= 2.0**6:  # beyond, what mu gains is less than the tolerance of an objective that the contradictions dominate
        assert 8 not in selection.ranking[: selection.selected]
    for array in (*selection.model.values(), selection.trace["objective"]):
        assert np.isfinite(array).all()


@methods
def test_weights_that_all_collapse_are_flagged(method):
    rng = np.random.default_rng(3)
    X, y = rng.standard_normal((40, 5)), np.where(rng.random(40) < 0.5, 1.0, -1.0)
    selection = method(X, y, rng=RNG, C=2.0**-5, mu=2.0**10)
    assert selection.selected == 0
    assert selection.trace["exit"] in ("collapsed", "proven_zero")
    assert np.isfinite(selection.model["bias"])


def test_an_unknown_variable_is_refused():
    X, y = xor()
    with pytest.raises(ConfigError, match="variable is 'q'"):
        gmkl(X, y, rng=RNG, C=1.0, mu=1.0, variable="q")


@pytest.mark.parametrize(("method", "C"), [(ao_efs, 0.25), (margin_sharing_ao, 2.0)])
@pytest.mark.parametrize("seed", [0, 6])
def test_the_twenty_true_columns_of_ndcc_are_found_where_no_single_one_shows_the_classes(method, C, seed):
    (X, y), *_ = ndcc_parts(seed)
    selection = method(X, y, rng=RNG, C=C, mu=2.0**-6)
    found = selection.ranking[: selection.selected]
    assert np.sum(found < 20) >= 18
    assert np.sum(found >= 20) <= 2
