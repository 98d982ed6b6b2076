"""Every exported estimator against scikit-learn's own checks, in pipelines, and by its own examples."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import marginfs

CLASSIFIERS = ["AOEFS", "FullFS", "GMKL", "SupportFeatureMachine", "ZeroNormSVM"]
MODULES = sorted({getattr(marginfs, name).__module__ for name in marginfs.__all__})


@pytest.fixture(scope="module")
def tumours():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X.iloc[:150, :10], np.where(y[:150] == 0, "malignant", "benign")


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([getattr(marginfs, name)() for name in marginfs.__all__])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("module", MODULES)
def test_examples_run(module):
    outcome = doctest.testmod(importlib.import_module(module))
    assert outcome.attempted > 0
    assert outcome.failed == 0


@pytest.mark.parametrize("name", marginfs.__all__)
def test_selects_named_columns_in_a_pipeline(name, tumours):
    X, y = tumours
    selector = getattr(marginfs, name)()
    model = make_pipeline(StandardScaler(), selector, SVC()).set_output(transform="pandas").fit(X, y)
    fitted = model[-2]
    chosen = model[:-1].get_feature_names_out()
    assert list(chosen) == list(X.columns[fitted.get_support()])
    transformed = model[:-1].transform(X)
    assert isinstance(transformed, pd.DataFrame)
    assert list(transformed.columns) == list(chosen)
    assert model.score(X, y) > 0.8
    assert set(fitted.ranking_) <= set(range(1, X.shape[1] + 1))
    assert fitted.ranking_.min() == 1
    assert fitted.ranking_[fitted.support_].max() <= fitted.ranking_[~fitted.support_].min(initial=11)
    assert fitted.scores_.shape == (X.shape[1],)
    assert fitted.n_iter_ >= 1
    assert is_classifier(fitted) == (name in CLASSIFIERS)


@pytest.mark.parametrize("name", [name for name in marginfs.__all__ if name != "SVMRFECV"])
@pytest.mark.parametrize(("wanted", "kept"), [(3, 3), (0.2, 2), (1.0, 10), (1, 1)])
def test_number_and_share_of_features(name, wanted, kept, tumours):
    X, y = tumours
    selector = getattr(marginfs, name)(wanted).fit(StandardScaler().fit_transform(X), y)
    assert selector.support_.sum() == selector.n_features_ == kept
    assert clone(selector).n_features_to_select == wanted


@pytest.mark.parametrize("wanted", [0, 11, 1.5, -0.1, True, "three"])
def test_impossible_numbers_of_features_are_refused(wanted, tumours):
    with pytest.raises(ValueError, match=r"n_features_to_select is .*write a number from 1 to 10"):
        marginfs.Correlation(wanted).fit(*tumours)


def test_grid_search_over_selector_and_classifier(tumours):
    X, y = tumours
    model = make_pipeline(StandardScaler(), marginfs.SVMRFE(), SVC())
    grid = {"svmrfe__C": [0.01, 1.0], "svmrfe__n_features_to_select": [2, 5]}
    search = GridSearchCV(model, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.85


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_predict_the_labels_they_were_given(name, tumours):
    X, y = tumours
    model = make_pipeline(StandardScaler(), getattr(marginfs, name)()).fit(X, y)
    assert set(model.predict(X)) == {"benign", "malignant"}
    assert model.score(X, y) > 0.85
    assert np.array_equal(model.predict(X) == "malignant", model.decision_function(X) > 0.0)


@pytest.mark.parametrize("name", [*CLASSIFIERS, "MFE", "Correlation"])
def test_three_classes_are_refused_where_a_method_has_two(name):
    X = np.random.default_rng(0).standard_normal((30, 4))
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        getattr(marginfs, name)().fit(X, np.arange(30) % 3)


@pytest.mark.parametrize(
    ("name", "options"), [("AOEFS", {}), ("FullFS", {}), ("GMKL", {}), ("ZeroNormSVM", {"C": 10.0})]
)
def test_a_solver_that_stops_early_warns(name, options, tumours):
    X, y = tumours
    with pytest.warns(ConvergenceWarning, match="max_iter = 1 "):
        getattr(marginfs, name)(max_iter=1, **options).fit(StandardScaler().fit_transform(X), y)


def test_a_solver_that_ends_does_not_warn(tumours):
    X, y = tumours
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in marginfs.__all__:
            getattr(marginfs, name)().fit(StandardScaler().fit_transform(X), y)


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (marginfs.SVMRFE(C=-1), "C is -1"),
        (marginfs.SVMRFE(C=-1, kernel="gaussian"), "C is -1"),
        (marginfs.SVMRFE(loss="log"), "loss is 'log'"),
        (marginfs.SVMRFE(order="second"), "order is 'second'"),
        (marginfs.SVMRFE(kernel="sigmoid"), "kernel is 'sigmoid'"),
        (marginfs.SVMRFE(criterion="r2w2", loss="hinge"), "criterion 'r2w2' has no form"),
        (marginfs.SVMRFE(kernel="gaussian", sampling="internal"), "need criterion='w2', order='zero'"),
        (marginfs.SVMRFECV(rule="worst"), "rule is 'worst'"),
        (marginfs.SVMRFECV(99), "min_features_to_select is 99"),
        (marginfs.MFE(kernel="gaussian", retrain_every=2), "retrain_every is 2"),
        (marginfs.MFE(little_optimization="yes"), "little_optimization is 'yes': write True or False"),
        (marginfs.SVMRFE(C="1"), "C is '1': write a number"),
        (marginfs.SVMRFE(C=None), "C is None: write a number"),
        (marginfs.SVMRFECV(C=True), "C is True: write a number"),
        (marginfs.SVMRFE(kernel="gaussian", gamma="x"), "gamma is 'x': write a number"),
        (marginfs.SVMRFE(kernel="gaussian", gamma=0), "gamma is 0: write a positive number"),
        (marginfs.SVMRFE(kernel="polynomial", degree=1.5), "degree is 1.5: write a whole number"),
        (marginfs.AOEFS(mu="1"), "mu is '1': write a number"),
        (marginfs.GMKL(max_iter=1.5), "max_iter is 1.5: write a whole number"),
        (marginfs.MFE(C=np.inf, at_zero="stop"), "needs separable data"),
        (marginfs.SupportFeatureMachine(C=0), "C is 0"),
        (marginfs.SupportFeatureMachine(C=np.inf), "not linearly separable"),
        (marginfs.AOEFS(mu=-1), "mu is -1"),
        (marginfs.MutualInformation(bins=1), "bins is 1"),
        (marginfs.Correlation(coefficient="kendall"), "coefficient is 'kendall'"),
    ],
)
def test_bad_options_are_value_errors_that_say_what_to_write(estimator, message):
    X = np.random.default_rng(0).standard_normal((40, 4))
    with pytest.raises(ValueError, match=message):
        estimator.fit(X, np.arange(40) % 2)


def test_importing_the_package_loads_no_heavy_library():
    code = "import sys, marginfs; print(sorted({'numpy', 'numba', 'sklearn', 'scipy', 'pandas'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_without_scikit_learn_the_message_says_what_to_install():
    code = "import sys; sys.modules['sklearn'] = None\nimport marginfs\nmarginfs.SVMRFE"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert out.returncode == 1
    assert out.stderr.strip().splitlines()[-1].startswith("ImportError: marginfs.SVMRFE is a scikit-learn estimator")


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'RFE'"):
        _ = marginfs.RFE
    assert set(marginfs.__all__) <= set(dir(marginfs))
