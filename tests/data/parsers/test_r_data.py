"""R's own file of the colon data gives the same content as the other sources."""

from __future__ import annotations

import pytest

from conftest import ROOT
from marginfs.data.catalogue import load_catalogue
from marginfs.data.parsers.r_data import r_data
from marginfs.data.sources.obtain import obtain
from marginfs.errors import DataError


def test_the_r_package_has_the_colon_data_of_the_catalogue(shared_data, tmp_path):
    (tmp_path / "mirror" / "colon").mkdir(parents=True)
    (tmp_path / "mirror" / "colon" / "Colon.rda").write_bytes((shared_data / "colon" / "Colon.rda").read_bytes())
    spec = load_catalogue(ROOT / "config" / "datasets.yaml")["colon"]
    found = obtain(spec, mirror=tmp_path / "mirror", cache=tmp_path / "cache")
    assert found.source == "mirror colon/Colon.rda"
    assert found.sha256 == spec.sha256


def test_a_list_without_the_matrix_is_named(shared_data):
    content = (shared_data / "colon" / "Colon.rda").read_bytes()
    with pytest.raises(DataError, match=r"no Colon\$Z"):
        r_data([content], object="Colon", matrix="Z", classes="Y", labels={}, decimals=4)
