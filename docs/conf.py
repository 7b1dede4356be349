"""The settings of the site: `make site` builds it from the pages of this folder and the docstrings."""

import os
import re
import site
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

# The library as the environment of `make test` has it, so that the site's own needs no compiler.
for folder in filter(None, os.environ.get("CONCORDANT_PACKAGES", "").split(os.pathsep)):
    site.addsitedir(folder)

project = "concordant"
author = "the concordant developers"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["images/**"]
html_theme = "furo"
html_title = "concordant"
html_show_copyright = False
html_show_sourcelink = html_copy_source = False
html_static_path = ["images"]
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the headings have the signatures, and docstrings the types
autodoc_inherit_docstrings = True
napoleon_google_docstring = False
smartquotes = False  # what stands in quotes is to be typed

LINK = r"\[([^\]]+)\]\(%s([^)#]+)[^)]*\)"


def _named(link: re.Match[str]) -> str:
    text, path = link.groups()
    return f"`{path}` in the repository" if text == path else f"{text} (`{path}` in the repository)"


def name_what_lies_outside(_app: Any, docname: str, source: list[str]) -> None:
    """Links to files of the repository, which the site does not have, become their names."""
    out_of_docs = re.escape("../" * (docname.count("/") + 1))
    source[0] = re.sub(LINK % out_of_docs, _named, source[0])


def plain_docstrings(_app: Any, _what: str, _name: str, _thing: Any, _options: Any, lines: list[str]) -> None:
    """Make reStructuredText of docstrings: sections as in numpydoc, `code`, examples, and no other markup."""
    if any("──" in line for line in lines):  # a drawing
        lines[:] = ["::", "", *(f"    {line}" for line in lines)]
        return
    in_example = False
    for number, line in enumerate(lines):
        in_example = line.lstrip().startswith(">>>") or (in_example and bool(line.strip()))
        if not in_example:
            code = re.sub(r"(?<![`\w])`([^`]+)`(?!`)", r"``\1``", line)
            lines[number] = re.sub(r"([*|])(?=(?:[^`]*``[^`]*``)*[^`]*$)", r"\\\1", code)


# What the theme leaves out, and people need who do not see or use no mouse: levels, names, keys.
MENDED = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<th class="head"><p></p></th>': "<td></td>",
    '<div id="search-results"></div>': '<h1>Search</h1>\n<div id="search-results"></div>',
}


def mend_pages(app: Any, failure: Exception | None) -> None:
    """Put it in once all is written."""
    for file in [] if failure or app.builder.name != "html" else Path(app.outdir).rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        for left_out, whole in MENDED.items():
            text = text.replace(left_out, whole)
        file.write_text(text, encoding="utf-8")


def setup(app: Any) -> None:
    """Sphinx calls it before it reads the pages."""
    app.connect("build-finished", mend_pages)
    app.connect("autodoc-process-docstring", plain_docstrings, priority=400)  # before Napoleon
    app.connect("source-read", name_what_lies_outside)
