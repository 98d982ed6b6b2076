"""A user's own selectors in the papers' protocols: where they run, what shows them, and what is said elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from marginfs.errors import ConfigError
from marginfs.lookup import look_up
from marginfs.study.config import load_study
from marginfs.study.job_sources import selection_source
from marginfs.study.my_selectors import where_they_run
from marginfs.types import Selection

CONFIG = Path(__file__).parents[2] / "config"
KBEST = {"method": "sklearn.feature_selection:SelectKBest", "k": 5}


def by_column(X, y, *, rng: np.random.Generator, C: float = 1.0) -> Selection:
    return Selection(ranking=np.arange(X.shape[1]))


def study(**mine):
    return load_study({"my_selectors": mine}, CONFIG)


@pytest.fixture(scope="module")
def with_kbest():
    return study(kbest=KBEST)


def placed(made, paper):
    return {place["experiment"]: place["left_out_because"] for place in made.placed if place["paper"] == paper}


def test_nothing_changes_without_them():
    plain = load_study({}, CONFIG)
    assert plain.placed == []
    assert plain.run == "quick"


def test_results_go_to_a_folder_of_their_own(with_kbest):
    assert with_kbest.run == "quick+new=kbest"
    assert with_kbest.changes(with_kbest.run) == {"new": "kbest"}


def test_an_estimator_runs_where_rankings_are_compared(with_kbest):
    experiment = with_kbest.experiment("rakotomamonjy2003", "linear_toy", "quick")
    added = experiment.selectors["kbest"]
    assert added.method == "marginfs.selectors.any_estimator:any_estimator"
    assert added.options["parameters"] == {"k": 5}
    assert list(experiment.selectors)[:-1] == list(
        load_study({}, CONFIG).experiment("rakotomamonjy2003", "linear_toy", "quick").selectors
    )


def test_numbers_may_come_as_text_from_the_command_line():
    made = study(kbest=KBEST | {"k": "5"}).experiment("rakotomamonjy2003", "linear_toy", "quick")
    assert made.selectors["kbest"].options["parameters"] == {"k": 5}


def test_everywhere_else_the_reason_is_said(with_kbest):
    reasons = placed(with_kbest, "rakotomamonjy2003")
    assert reasons["linear_toy"] == reasons["colon"] == ""
    assert reasons["influence_of_c"] == "it varies C, which the selector does not have"
    assert "provides: [elimination]" in reasons["number_of_variables"]
    assert "provides: [hyperplane]" in placed(with_kbest, "klement2010")["toy"]
    assert "provides: [margin_path]" in placed(with_kbest, "aksu2008")["flags"]
    assert "it compares no selectors" in placed(with_kbest, "planas2021").values()
    assert {place["paper"] for place in with_kbest.placed} == set(with_kbest.papers)


def test_jobs_of_other_selectors_stay_as_they_were(with_kbest):
    plain = load_study({}, CONFIG)
    for name in ("corr", "grad_w2"):
        before, after = (made.experiment("rakotomamonjy2003", "linear_toy", "quick") for made in (plain, with_kbest))
        assert before.selectors[name] == after.selectors[name]
        assert selection_source(before, name) == selection_source(after, name)


def test_a_job_covers_the_source_of_the_estimator(with_kbest):
    experiment = with_kbest.experiment("rakotomamonjy2003", "linear_toy", "quick")
    other = study(kbest={"method": "sklearn.linear_model:LogisticRegression"})
    assert selection_source(experiment, "kbest") != selection_source(
        other.experiment("rakotomamonjy2003", "linear_toy", "quick"), "kbest"
    )


def test_tables_and_figures_show_them_where_they_run(with_kbest):
    protocol = with_kbest.papers["rakotomamonjy2003"].protocol
    assert protocol["tables"]["1"]["rows"]["labels"]["kbest"] == "kbest (new)"
    assert protocol["tables"]["1"]["rows"]["labels"]["svm"] == "SVM"
    assert protocol["figures"]["2"]["curves"]["labels"]["kbest"] == "kbest (new)"
    assert "kbest" not in with_kbest.papers["klement2010"].protocol["tables"]["1"]["columns"]["labels"]


def test_each_is_compared_with_every_selector_beside_it(with_kbest):
    claims = [claim for claim in with_kbest.papers["rakotomamonjy2003"].claims if claim["source"] == "my_selectors"]
    toy = [claim for claim in claims if claim["experiment"] == "linear_toy"]
    assert {claim["higher"]["selector"] for claim in toy} >= {"svm", "corr", "grad_w2", "span_retrained"}
    assert all(claim["at"] == {"train": "all"} and claim["overlap"] == 0.0 for claim in toy)
    colon = [claim for claim in claims if claim["experiment"] == "colon"]
    assert all(claim["over"] == ["step"] and claim["overlap"] == pytest.approx(12 / 50) for claim in colon)


def test_a_function_with_our_signature_takes_the_options_of_a_grid():
    made = study(mine={"method": "test_my_selectors:by_column", "papers": ["rakotomamonjy2003"], "label": "Mine"})
    assert placed(made, "rakotomamonjy2003")["influence_of_c"] == ""
    assert placed(made, "rakotomamonjy2003")["influence_of_sigma"].startswith("it varies sigma")
    assert {place["paper"] for place in made.placed} == {"rakotomamonjy2003"}
    by_c, by_sigma = made.papers["rakotomamonjy2003"].protocol["figures"]["5"]["columns"]
    assert "mine" in by_c["curves"]["labels"]
    assert "mine" not in by_sigma.get("curves", {}).get("labels", {})
    assert made.papers["rakotomamonjy2003"].protocol["tables"]["1"]["rows"]["labels"]["mine"] == "Mine"


@pytest.mark.parametrize("options", [{}, {"k": 2}])
def test_a_function_that_makes_a_pipeline_needs_no_argument(options):
    entry = {"method": "toy_methods:scaled_kbest", "papers": ["rakotomamonjy2003"], **options}
    selectors = study(mine=entry).experiment("rakotomamonjy2003", "colon", "quick").selectors
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 5)), np.arange(30) % 2
    X[:, 3] += 3 * y
    found = look_up(selectors["mine"].method)(X, y, rng=rng, **selectors["mine"].options)
    assert (found.ranking[0], found.selected) == (3, options.get("k", 1))


def test_what_the_selections_hold_opens_further_experiments():
    entry = {"method": "marginfs:SupportFeatureMachine", "provides": ["hyperplane"], "papers": ["klement2010"]}
    made = study(soft=entry)
    assert placed(made, "klement2010") == {"toy": ""}
    options = made.experiment("klement2010", "toy", "quick").selectors["soft"].options
    assert options["estimator"] == "marginfs.estimators.sparse_hyperplanes:SupportFeatureMachine"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"method": "relieff"}, r"my_selectors.mine.method: no selector is called 'relieff'; did you mean 'relief'\?"),
        ({"method": "nowhere:thing"}, "my_selectors.mine.method is 'nowhere:thing': No module named 'nowhere'"),
        ({**KBEST, "papers": ["klement2011"]}, r"my_selectors.mine.papers: no paper is called 'klement2011'"),
        ({**KBEST, "provides": ["wings"]}, "provides"),
        ({"method": "relief", "k": 3}, "no option is called 'k'"),
        ({**KBEST, "kk": 3}, "SelectKBest cannot be made with these options: got an unexpected keyword argument 'kk'"),
        ({"method": "sklearn.feature_selection:RFE"}, "missing a required argument: 'estimator'"),
        ({"k": 3}, "the key 'my_selectors.mine.method' is missing"),
    ],
)
def test_mistakes_are_named_before_any_job(entry, message):
    with pytest.raises(ConfigError, match=message):
        study(mine=entry)


def test_before_a_run_it_is_said_where_a_selector_runs_and_why_not():
    places = [
        {"selector": "mine", "paper": "a", "experiment": "one", "left_out_because": ""},
        {"selector": "mine", "paper": "a", "experiment": "two", "left_out_because": "it has no grid"},
        {"selector": "other", "paper": "a", "experiment": "one", "left_out_because": "it has no grid"},
        {"selector": "other", "paper": "b", "experiment": "one", "left_out_because": ""},
    ]
    mine, other = where_they_run(places, ["a"])
    assert mine == "mine runs in 1 of 2 experiments, see tables/my_selectors.csv"
    assert other == "other runs in 0 of 1 experiments, see tables/my_selectors.csv; for example: it has no grid"
    assert where_they_run(places, ["c"])[0].endswith("its papers are not selected")
    assert where_they_run([], ["a"]) == []
