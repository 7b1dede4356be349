"""What notebooks show of every result, in the themes of JupyterLab and VS Code."""

import numpy as np
import pytest
from test_page import violations

import concordant as cc

# The attributes and colours of the notebooks' own pages; the grey text of VS Code is the hardest to read.
THEMES = {
    "VS Code, light": ('data-vscode-theme-kind="vscode-light"', "#ffffff", "#616161"),
    "JupyterLab, dark": ('data-jp-theme-light="false"', "#111111", "#dddddd"),
}
# The margins of JupyterLab's tables.
STYLE = "body{font:13px/1.4 sans-serif;margin:0}.output td,.output th{padding:.5em}"


@pytest.fixture(scope="module")
def results():
    """Results with more rows, columns and longer labels than a screen holds."""
    source = np.random.default_rng(5)
    labels = [f"<b>a label & of some $length$ {number}</b>" for number in range(25)]
    truth = source.integers(0, 25, 300)
    runs = {
        f"run {number} with a <i>name</i>": np.where(
            source.random(300) < 0.02 * number, source.integers(0, 25, 300), truth
        )
        for number in range(24)
    }
    named = {f"r{i}": labels[k] for i, k in enumerate(truth)}
    found = {f"r{i}": labels[k] for i, k in enumerate(runs["run 20 with a <i>name</i>"])}
    c = cc.compare(named, found)
    track = cc.track(runs)
    some = dict(list(runs.items())[:6])
    before, after = (runs[f"run {number} with a <i>name</i>"] for number in (20, 3))
    judged = cc.diff(before, after, reference=truth)
    documents = [[set(np.flatnonzero(truth == k).tolist()) for k in range(25)]]
    estimates = cc.estimate(dict(list(named.items())[:100]), found, sampling="records")
    return {
        "comparison": c,
        "summary": c.summary(interval=True),
        "changes": c.changes(),
        "change summary": c.summary().components,
        "clusters": c.clusters(),
        "records": c.records(),
        "matching": c.matching(),
        "relabelled": c.relabelled(),
        "suggestions": c.suggest(),
        "table": c.table,
        "live": c.live(),
        "consensus": cc.consensus(some),
        "coreference": cc.coreference(documents, documents),
        "ranking": cc.rank(truth, some),
        "ranking of many": cc.rank(truth, runs, "rand"),
        "diff with a reference": judged,
        "outcomes": judged.summary(),
        "records of an outcome": judged.records(outcome="broken"),
        "indices before and after": judged.indices(),
        "diff": cc.diff(named, found, reference=named),
        "changed records": cc.diff(named, found).records(),
        "questions": cc.diff(named, found).ask(n_questions=30),
        "track": track,
        "events": track.events,
        "matrix": cc.matrix(runs),
        "matrices": cc.matrix(runs, ["rand", "precision", "mirkin"]),
        "references": cc.compare_references(some, truth),
        "interval": c.interval("rand"),
        "difference": judged.difference("rand"),
        "significance": c.significance("rand"),
        "adjusted": c.adjusted("rand"),
        "estimates": estimates,
        "estimate": estimates["precision"],
        "sample size": cc.sample_size([1, 2, 3], sampling="records"),
    }


# Those with colours of their own; the tables of the others inherit all colours.
COLOURED = ("comparison", "summary", "matrix", "track")


@pytest.mark.parametrize("theme", THEMES)
def test_every_result_can_be_read(browser, axe, folder, results, theme):
    attributes, paper, ink = THEMES[theme]
    if "dark" in theme:
        results = {name: results[name] for name in COLOURED}
    shown = "".join(f'<div class="output" id="{name}">{r._repr_html_()}</div>' for name, r in results.items())
    file = folder / "results.html"
    head = f'<!doctype html><html lang="en"><title>results</title><style>{STYLE}</style>'
    body = f'<body {attributes} style="background:{paper};color:{ink}">{shown}'
    file.write_text(head + body, encoding="utf-8")
    with browser.open(file, width=700, ready="true") as page:
        boxes = "[...document.querySelectorAll('.output')]"
        heights = page.run(f"Object.fromEntries({boxes}.map((x) => [x.id, x.scrollHeight]))")
        assert {name: height for name, height in heights.items() if not 40 < height <= 600} == {}
        assert page.run("document.documentElement.scrollWidth") <= 700
        pictures = page.run(f"{boxes}.filter((x) => !x.querySelector('table')).map((x) => x.id)")
        assert pictures == []
        assert page.run("document.querySelectorAll('.output b b, .output i').length") == 0  # labels are text
        # Rows look the same, but for the colours of a matrix: three of each table are enough.
        page.run(
            "document.querySelectorAll('.output:not(#matrix) tr:nth-child(n+4)').forEach((x) => x.remove())"
        )
        assert violations(page, axe, runOnly=["color-contrast"]) == []


def test_colours_follow_the_theme_of_the_notebook(browser, folder, results):
    """The setting of the system counts only where the notebook does not name its theme."""
    own, colours = results["comparison"]._repr_html_(), set()
    shown = "getComputedStyle(document.querySelector('.concordant-comparison')).getPropertyValue('--agree')"
    for attributes, theme in [
        ("", "light"),
        ('data-jp-theme-light="true"', "dark"),
        ("", "dark"),
        ('data-jp-theme-light="false"', "light"),
        ('data-vscode-theme-kind="vscode-dark"', "light"),
    ]:
        file = folder / "theme.html"
        file.write_text(f"<!doctype html><body {attributes}>{own}", encoding="utf-8")
        with browser.open(file, width=700, theme=theme, ready="true") as page:
            colours.add((page.run(shown), "false" in attributes or "dark" in (attributes or theme)))
    assert len(colours) == 2
