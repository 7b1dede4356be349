"""Cards of clusters: what they say is what the comparison says, and records come with their attributes."""

import base64
import re
import struct
import zlib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import concordant as cc
from concordant.errors import InputError, ParameterError

TRUTH = dict(zip("pqrstuvwxy", "aaaabbbbcc", strict=True))
GUESS = dict(zip("pqrstuvwxy", [1, 1, 1, 2, 2, 2, 2, 2, 3, 3], strict=True))
KNOWN = {
    "id": list("pqrstuvwxy"),
    "name": ["ann"] * 3 + ["anne"] + ["bob"] * 4 + ["cyd"] * 2,
    "year": [*range(10)],
}
PIXEL = "data:image/png;base64,iVBORw0KGgo="


@pytest.fixture(scope="module")
def mixed():
    return cc.compare(TRUTH, GUESS)


def page_of(comparison, folder, **options):
    return comparison.to_html(folder / "page.html", **options).read_text(encoding="utf-8")


def cards_in(html):
    """{(side, number): (label, size, {other number: (overlap, size there)}, html)} as the page has it."""
    found = {}
    for summary, key, place, pieces_of in re.findall(
        r'<details class="cluster"(.*?)<div id="([rc])(\d+)">(.*?)</details>', html, re.DOTALL
    ):
        card = summary + pieces_of
        label = re.search(r"<b><bdi[^>]*>(.*?)</bdi>", summary)[1]
        size = int(re.search(r"<small>([\d,]+) record", card)[1].replace(",", ""))
        pieces = re.findall(
            r'<li class="\w+"><a href="#[rc](\d+)">.*?<small>([\d,]+) of [\d,]+ here, of ([\d,]+) there', card
        )
        numbers = {int(j): (int(n.replace(",", "")), int(b.replace(",", ""))) for j, n, b in pieces}
        found["reference" if key == "r" else "candidate", int(place)] = (label, size, numbers, card)
    return found


def test_every_number_of_the_cards_is_that_of_the_table(tmp_path):
    source = np.random.default_rng(5)
    comparison = cc.compare(source.integers(0, 6, 300), source.integers(0, 7, 300))
    cards, table = cards_in(page_of(comparison, tmp_path)), comparison._counts.table
    assert len(cards) == 6 + 7
    cells = list(zip(table.row.tolist(), table.column.tolist(), table.n.tolist(), strict=True))
    for (side, place), (_, size, pieces, _) in cards.items():
        own, sizes = (0, table.row_sizes) if side == "reference" else (1, table.column_sizes)
        others = table.column_sizes if side == "reference" else table.row_sizes
        assert size == sizes[place]
        mine = {cell[1 - own]: (cell[2], others[cell[1 - own]]) for cell in cells if cell[own] == place}
        assert pieces == mine
    assert {label for label, *_ in cards.values()} == set("0123456")


def test_the_page_links_every_cluster_that_it_draws_to_its_card(mixed, tmp_path):
    html = page_of(mixed, tmp_path)
    links = set(re.findall(r'href="#([rc]\d+)"', html))
    assert links == set(re.findall(r'<div id="([rc]\d+)"', html))
    assert len(links) == 6


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(KNOWN),
        pl.LazyFrame(KNOWN),
        pd.DataFrame(KNOWN),
        pa.table(KNOWN),
    ],
    ids=["polars", "lazy", "pandas", "arrow"],
)
def test_attributes_come_from_any_dataframe(mixed, tmp_path, frame):
    card = cards_in(page_of(mixed, tmp_path, details=frame, record="id", show=["name"]))["reference", 0][3]
    assert re.findall(r"<mark><bdi>(\w+)</bdi></mark>", card) == ["anne"]
    assert card.count("<bdi>ann</bdi>") == 3


def test_attributes_come_from_files(mixed, tmp_path):
    pl.DataFrame(KNOWN).write_csv(tmp_path / "people.csv")
    html = page_of(mixed, tmp_path, details=tmp_path / "people.csv", record="id")
    card = cards_in(html)["reference", 0][3]
    assert '<th scope="col">name</th><th scope="col">year</th>' in card
    assert "<bdi>anne</bdi>" in card


def test_records_of_files_are_found_where_they_lie(tmp_path):
    for name, side in (("u", TRUTH), ("v", GUESS)):
        pl.DataFrame({"id": list(side), "label": list(side.values())}).write_parquet(
            tmp_path / f"{name}.parquet"
        )
    u, v = (cc.Partition.scan(tmp_path / f"{x}.parquet", record="id", cluster="label") for x in "uv")
    html = page_of(cc.compare(u, v), tmp_path, details=pl.DataFrame(KNOWN), record="id", show=["name"])
    assert "<mark><bdi>anne</bdi></mark>" in html


def test_positions_and_the_index_of_pandas_need_no_column_of_records(tmp_path):
    by_row = cc.compare(list(TRUTH.values()), list(GUESS.values()))
    html = page_of(by_row, tmp_path, details=pl.DataFrame(KNOWN), show=["name"])
    assert "<td><bdi>3</bdi></td><td><mark><bdi>anne</bdi></mark></td>" in html
    frame = pd.DataFrame(KNOWN).set_index("id").assign(truth=pd.Series(TRUTH), guess=pd.Series(GUESS))
    shuffled = frame.sample(frac=1, random_state=1)
    html = page_of(cc.compare(shuffled["truth"], shuffled["guess"]), tmp_path, details=frame, show=["name"])
    assert "<td><bdi>s</bdi></td><td><mark><bdi>anne</bdi></mark></td>" in html


@pytest.mark.parametrize(
    ("options", "kind", "said"),
    [
        ({"show": ["name"]}, ParameterError, "pass details= too"),
        ({"details": pl.DataFrame(KNOWN)}, ParameterError, "pass record=... to name it"),
        ({"details": pl.DataFrame(KNOWN), "record": "ids"}, InputError, "did you mean 'id'"),
        ({"details": pl.DataFrame(KNOWN), "record": "id", "show": "name"}, ParameterError, "in a list"),
        ({"details": pl.DataFrame(KNOWN), "record": "year"}, InputError, "none of 10 records"),
        ({"details": pl.DataFrame(KNOWN).vstack(pl.DataFrame(KNOWN)), "record": "id"}, InputError, "twice"),
        ({"details": [1, 2], "record": "id"}, ParameterError, "not a dataframe"),
        ({"details": pl.DataFrame(KNOWN), "record": "id", "images": "name"}, InputError, "not a picture"),
        ({"budget": "much"}, ParameterError, "500kB or 2MB"),
        ({"budget": -1}, ParameterError, "budget=-1"),
    ],
)
def test_what_cannot_be_shown_is_said(mixed, tmp_path, options, kind, said):
    with pytest.raises(kind, match=re.escape(said)):
        mixed.to_html(tmp_path / "page.html", **options)


def test_the_budget_is_kept_and_the_page_says_so(tmp_path):
    source = np.random.default_rng(5)
    comparison = cc.compare(source.integers(0, 9, 400), source.integers(0, 9, 400))
    sizes = {budget: len(page_of(comparison, tmp_path, budget=budget)) for budget in (0, "2kB", "2MB")}
    assert sizes[0] < sizes["2kB"] <= sizes[0] + 2100
    assert sizes["2kB"] + 5000 < sizes["2MB"]
    html = page_of(comparison, tmp_path, budget="2kB")
    shown = int(re.search(r"Records are shown for (\d+) of 18 clusters", html)[1])
    assert 0 < shown < 18
    assert "Records are shown for" not in page_of(comparison, tmp_path)


def test_hostile_attributes_and_pictures_stay_text(mixed, tmp_path):
    evil = ["</style><script>alert(1)</script>", "<img src=x onerror=alert(1)>"]
    known = {"id": list("pqrstuvwxy"), "a<b>": evil * 5}
    html = page_of(mixed, tmp_path, details=pl.DataFrame(known), record="id")
    assert "<script>alert" not in html
    assert "<img" not in html
    assert "a&lt;b&gt;" in html
    for address in (
        evil[0],
        "data:image/svg+xml;base64,AAAA",
        "data:image/png;base64,AA)}*{color:red",
        "http://x/y.png",
    ):
        with pytest.raises(InputError, match="not a picture"):
            faces_on_page(mixed, tmp_path, [address] * 10)


def test_pictures_are_stored_once_each(mixed, tmp_path):
    faces = [[[i, 9], [9, i]] for i in range(10)]
    known = pl.DataFrame({"id": list("pqrstuvwxy"), "face": faces})
    html = page_of(mixed, tmp_path, details=known, record="id", images="face")
    assert html.count("url(data:image/png") == 10
    assert len(re.findall(r'class="thumb t\d+"', html)) == 20  # in the card of each side


def faces_on_page(comparison, folder, faces):
    """The pictures on the page of records that have these."""
    known = pl.DataFrame({"id": list("pqrstuvwxy"), "face": pl.Series(faces, dtype=pl.Object)})
    html = page_of(comparison, folder, details=known, record="id", images="face")
    return re.findall(r"url\((data:.*?)\)", html)


def pixels(data):
    """The greys of a PNG without filters, read back by its definition."""
    width, height, depth = struct.unpack(">IIB", data[16:25])
    body = data[data.index(b"IDAT") + 4 : data.index(b"IEND") - 8]
    raw = zlib.decompress(body)
    wide = -(-width * depth // 8)
    rows = [raw[i * (wide + 1) + 1 : (i + 1) * (wide + 1)] for i in range(height)]
    if depth == 8:
        return [list(row) for row in rows]
    return [[17 * half for byte in row for half in (byte >> 4, byte & 15)][:width] for row in rows]


@pytest.mark.parametrize("greys", [[[0, 17, 255], [34, 51, 68]], [[0, 1, 2, 255]], [[255], [0]]])
def test_a_picture_is_what_was_drawn(mixed, tmp_path, greys):
    (address,) = faces_on_page(mixed, tmp_path, [np.array(greys, dtype=np.uint8), *[None] * 9])
    assert pixels(base64.b64decode(address.partition("base64,")[2])) == greys


def test_pictures_of_many_kinds(mixed, tmp_path):
    jpeg = b"\xff\xd8\xff\xe0rest"
    faces = [None, "", float("nan"), PIXEL, jpeg, np.array([[0.0, 0.5]]), [[1, 0]], None, None, None]
    found = sorted(faces_on_page(mixed, tmp_path, faces))
    assert len(found) == 4
    assert found[0].startswith("data:image/jpeg;base64,/9j/")
    assert PIXEL in found
    assert all(each.startswith("data:image/png;base64,") for each in found[1:])
    for bad in ([1, 2, 3], [[1], [1, 2]], [[float("nan")]], 7):
        with pytest.raises(InputError, match="not a picture"):
            faces_on_page(mixed, tmp_path, [bad, *[None] * 9])
