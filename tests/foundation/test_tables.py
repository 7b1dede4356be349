"""Tables for papers: every result in LaTeX and Markdown, whatever its labels are."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from test_results import every_result

import concordant as cc

HOSTILE = [
    "a & b % $x^2$ #1 _y_ {z} ~ \\end{tabular}",
    "[2em]",
    "*",
    "| pipe | `code` <b> &lt; *bold* __init__ [link](x)",
    '"-->',
    "two\nlines",
    "-5",
    "",
]


NAMED = {label or "empty": [0, 1] for label in HOSTILE}


def latex_cells(text):
    """The cells of each tabular; fails where a group is not closed or a row has too many or too few."""
    tables = []
    for columns, body in re.findall(
        r"\\begin{tabular}{([lr]+)}\n(.*?)\\end{tabular}(?=\n|$)", text, re.DOTALL
    ):
        lines = body.splitlines()
        assert (lines[0], lines[2], lines[-1]) == (r"\toprule", r"\midrule", r"\bottomrule")
        rows = [lines[1], *lines[3:-1]]
        for row in rows:
            assert row.endswith(r" \\")
            bare = re.sub(r"\\[&%$#_{}]", "", row.removesuffix(r" \\"))
            assert bare.count("{") == bare.count("}")
            assert bare.count("$") % 2 == 0
            assert not re.search(r"[%#~^<>|\"]", bare)
            assert not re.match(r"\s*[\[*]", bare)  # an option of the line before
            assert len(re.split(r"(?<!\\)&", row)) == len(columns)
        tables.append(rows)
    return tables


def markdown_cells(text):
    tables = []
    for block in text.split("\n\n"):
        rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.splitlines()]
        assert {len(row) for row in rows} == {len(rows[0])}
        assert all(re.fullmatch(r"-{3,}:?", cell) for cell in rows[1])
        tables.append([rows[0], *rows[2:]])
    return tables


def test_every_result_is_a_table():
    for result in every_result():
        latex, markdown = latex_cells(result.to_latex()), markdown_cells(result.to_markdown())
        assert [len(table) for table in latex] == [len(table) for table in markdown], type(result)
        has_rows = result.to_frame("polars").height > 0
        assert all(len(table) > 1 for table in latex) == has_rows, type(result)


def test_labels_are_text():
    named = cc.compare(HOSTILE, range(len(HOSTILE)))
    latex, shown = named.clusters().to_latex(), named.clusters().to_markdown()
    names = [cell.strip() for cell in markdown_cells(cc.matrix(NAMED).to_markdown())[0][0]]
    assert len(latex_cells(latex)[0]) == len(markdown_cells(shown)[0]) == len(HOSTILE) + 1
    assert r"\textbackslash{}end\{tabular\}" in latex
    assert r"\| pipe \| \`code\` \<b> \&lt; \*bold\* \_\_init\_\_ \[link\](x)" in names
    for result in (
        named.table,
        named.changes(),
        named.clusters(),
        cc.matrix(NAMED),
    ):
        latex_cells(result.to_latex())
        markdown_cells(result.to_markdown())


def test_a_caption_or_a_label_makes_it_float():
    c = cc.compare(list("aabb"), [0, 0, 0, 1])
    assert not c.to_latex().startswith(r"\begin{table}")
    text = c.to_latex(caption=r"Two \emph{runs}.", label="tab:runs")
    assert text.splitlines()[:4] == [
        r"\begin{table}",
        r"\centering",
        r"\caption{Two \emph{runs}.}",
        r"\label{tab:runs}",
    ]
    assert text.endswith(r"\end{table}")
    matrices = cc.matrix([[0, 0, 1], [0, 1, 1], [0, 1, 2]], ["rand", "jaccard"])
    assert matrices.to_latex(label="tab:m").count(r"\begin{tabular}") == 2
    assert matrices.to_latex(label="tab:m").count(r"\label") == 1


def test_indices_have_the_interval_that_is_asked_for():
    source = np.random.default_rng(0)
    truth = source.integers(0, 5, 400)
    c = cc.compare(truth, np.where(source.random(400) < 0.8, truth, source.integers(0, 5, 400)))
    assert "interval" not in c.to_markdown()
    found = c.interval("rand")
    _, row = markdown_cells(c.to_markdown(indices=["rand"], interval=True))[0]
    assert [cell.strip() for cell in row] == [
        "Rand index",
        f"{found.value:.4f}",
        f"{found.low:.4f} to {found.high:.4f}",
    ]
    assert f"{found.low:.4f} to {found.high:.4f}" in c.to_latex(indices=["rand"], interval=True)
    ranking = cc.rank(truth, {"old": truth[::-1], "new": truth}, "rand")
    heads, *rows = markdown_cells(ranking.to_markdown())[0]
    assert [cell.strip() for cell in heads][:4] == ["rand", "value", "difference", "95% low"]
    assert {row[0].strip(): row[1].strip() for row in rows}["new"] == "1.0000"


def test_values_are_rounded_honestly():
    nearly = cc.compare(np.arange(200_000) // 2, np.append(np.arange(199_998) // 2, [-1, -2]))
    assert ">0.9999" in nearly.to_markdown(indices=["recall"])
    assert r"\textgreater{}0.9999" in nearly.to_latex(indices=["recall"])
    assert "$-$0.5000" in cc.compare([0, 0, 1], [0, 1, 1]).to_latex(indices=["adjusted_rand"])


def test_latex_compiles(tmp_path):
    if shutil.which("pdflatex") is None or not _has_booktabs():
        pytest.skip("no LaTeX with booktabs is installed: apt-get install texlive-latex-recommended")
    tables = [result.to_latex(caption="A result", label="tab:a") for result in every_result()]
    tables.append(cc.matrix(NAMED).to_latex())
    text = "\n\n\\clearpage\n".join(tables)
    document = (
        f"\\documentclass{{article}}\\usepackage{{booktabs}}\n\\begin{{document}}\n{text}\n\\end{{document}}"
    )
    (tmp_path / "paper.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603  (our own document)
    assert ran.returncode == 0, ran.stdout[-2000:]


def _has_booktabs():
    ran = subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True, check=False)  # noqa: S607  (of TeX)
    return ran.returncode == 0
