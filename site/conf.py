"""The settings of the site: `make site` builds it from the pages of docs and the docstrings."""

import html
import itertools
import os
import re
import site
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.util import inspect

ROOT = Path(__file__).parents[1]

# The library as the environment of `make test` has it, so the site's own needs no compiler.
for folder in filter(None, os.environ.get("CONCORDANT_PACKAGES", "").split(os.pathsep)):
    site.addsitedir(folder)

PACKAGE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
REPOSITORY = PACKAGE["tool"]["dynamic-metadata"][0]["repository"].rstrip("/")  # empty if there is none

project = "concordant"
author = "the concordant developers"
version = release = PACKAGE["project"]["version"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
exclude_patterns = ["images/**"]
html_theme = "furo"
html_title = "concordant"
html_favicon = "../docs/images/favicon.svg"
html_show_copyright = False
html_show_sourcelink = html_copy_source = False
html_static_path = ["../docs/images"]
myst_heading_anchors = 4
autodoc_default_options = {"members": True, "undoc-members": True, "inherited-members": "Result,object,tuple"}
autodoc_member_order = "bysource"
autodoc_typehints = "description"  # of parameters whose docstring gives no type, and of results
autodoc_typehints_format = "short"
autodoc_inherit_docstrings = True
napoleon_google_docstring = False
napoleon_use_ivar = True  # autodoc describes attributes once more, with their types
copybutton_prompt_text = r">>> |\.\.\. |\$ "  # removed, as are the lines without a prompt: the output
copybutton_prompt_is_regexp = True
python_display_short_literal_types = True
add_module_names = False
smartquotes = False  # text in quotes is to be typed as it is
if REPOSITORY:
    html_theme_options = {
        "source_repository": REPOSITORY,
        "source_branch": "main",
        "source_directory": "docs/",
        "footer_icons": [{"name": "Repository", "url": REPOSITORY, "html": "Repository", "class": ""}],
    }

LINK = r"\[([^\]]+)\]\(%s([^)#]+)[^)]*\)"
KEYWORDS = tomllib.loads((ROOT / "tests" / "contract" / "keywords.toml").read_text(encoding="utf-8"))
CONSTRUCTED = ("concordant.Live",)  # users call these classes
DESCRIPTION = 160  # characters that search engines show


def _outside(link: re.Match[str]) -> str:
    text, path = link.groups()
    if REPOSITORY:
        return f"[{text}]({REPOSITORY}/blob/main/{path})"
    return f"`{path}` in the repository" if text == path else f"{text} (`{path}` in the repository)"


def link_files_of_the_repository(_app: Any, docname: str, source: list[str]) -> None:
    """Links to files of the repository, which the site does not have, lead there or become their names."""
    out_of_docs = re.escape("../" * (docname.count("/") + 1))
    source[0] = re.sub(LINK % out_of_docs, _outside, source[0])


def describe_page(
    _app: Any, _page: str, _template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Put the first paragraph of a page into the description that search engines show."""
    paragraphs = doctree.findall(nodes.paragraph) if doctree else ()
    first = next((paragraph.astext() for paragraph in paragraphs), PACKAGE["project"]["description"])
    text = textwrap.shorten(first, DESCRIPTION, placeholder=" …")
    tag = f'<meta name="description" content="{html.escape(text)}" />'
    context["metatags"] = f"{context.get('metatags', '')}{tag}\n"


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


def skip_members(_app: Any, what: str, name: str, thing: Any, skip: bool, _options: Any) -> bool | None:
    """Leave out indices, which have their own pages, methods of Python's mappings, and members of errors."""
    from concordant import INDICES  # not before Sphinx has read the path above

    if what == "module":
        return skip or not (isinstance(thing, type) and issubclass(thing, Exception))
    if what == "exception" or name in set(INDICES) or "collections" in str(getattr(thing, "__module__", "")):
        return True
    return None


def hide_constructors(
    _app: Any, what: str, name: str, thing: Any, _options: Any, _arguments: str, _result: str
) -> tuple[str, None] | None:
    """Show the parameters of a class only if users call it; functions and class methods make the others."""
    if what not in ("class", "exception"):
        return None
    signature = inspect.signature(thing.__init__, bound_method=True)
    return inspect.stringify_signature(signature, show_annotation=False) if name in CONSTRUCTED else "", None


def hide_parameters(app: Any, domain: str, kind: str, content: nodes.Element) -> None:
    """Then describe no parameters either."""
    signature = content.parent[0]
    if (
        domain == "py"
        and kind in ("class", "exception")
        and not any(signature.findall(addnodes.desc_parameterlist))
    ):
        path = ".".join(filter(None, (signature["module"], signature["fullname"])))
        app.env.current_document.autodoc_annotations.pop(path, None)


def link_only_classes(_app: Any, doctree: nodes.document) -> None:
    """In types such as "list of labels", do not link plain words to attributes of the same name."""
    for link in list(doctree.findall(addnodes.pending_xref)):
        if link.get("refdomain") == "py" and link["reftarget"].rpartition(".")[2].islower():
            link.replace_self(link.children)


def add_index_entries(app: Any, doctree: nodes.document) -> None:
    """Enter the words that people search for; the search shows pages with such an entry first.

    An index is found by its titles and names, also those of other libraries, and a member by c.name or
    cc.name.
    """
    from concordant.report.explanation import all_families

    page = app.env.docname
    titles = [title.astext().lower() for title in itertools.islice(doctree.findall(nodes.title), 1)]
    words = [(word, "") for word in (*titles, *KEYWORDS.get(page, ()))]
    if page.startswith("indices/"):
        declared = {index.name: index for members in all_families().values() for index in members}
        for section in doctree.findall(nodes.section):
            if index := declared.get(section[0].astext()):
                words += [(name, section["ids"][0]) for name in _names(index)]
    for signature in doctree.findall(addnodes.desc_signature) if page == "api" else ():
        path = signature["ids"][0] if signature["ids"] else ""
        short = path.replace("concordant.Comparison.", "c.").replace("concordant.", "cc.")
        words += [(short, path)] if short.count(".") == 1 else []
    entries = [("single", word, target, "main", None) for word, target in dict.fromkeys(words)]
    if entries:
        doctree.insert(0, addnodes.index(entries=entries))
    if page.startswith("decisions/"):
        app.env.metadata[page]["nosearch"] = True


def _names(index: Any) -> Iterator[str]:
    """The names of an index here, in papers and in other libraries."""
    title = re.sub(r" \(.*\)", "", index.title).lower()
    elsewhere = (re.findall(r"\w+(?=\(|,|$)", known) for known in getattr(index, "known_as", {}).values())
    for name in (title, index.name, *getattr(index, "aliases", ()), *itertools.chain(*elsewhere)):
        yield name
        yield from {name.replace("_", " "), name.replace("_", "-"), name.replace("-", " ")}


def check_keywords(app: Any, _environment: Any) -> None:
    """A page that was renamed keeps its keywords only under its new name."""
    if unknown := KEYWORDS.keys() - app.env.all_docs.keys():
        raise ValueError(
            f"tests/contract/keywords.toml names pages that do not exist: {', '.join(sorted(unknown))}"
        )


def polish_text(_app: Any, doctree: nodes.document) -> None:
    """Write a dash between a parameter and its description, and end examples without doctest's empty line."""
    for text in [text for text in doctree.findall(nodes.Text) if text == " -- "]:
        text.parent.replace(text, nodes.Text(" – "))
    for block in doctree.findall(nodes.literal_block):
        text = block.astext()
        if block.rawsource == text:  # no markup within
            block.rawsource = text.rstrip()
            block.children = [nodes.Text(text.rstrip())]


def keep_last_overload(_app: Any, doctree: nodes.document) -> None:
    """Of overloads show the last, which has all parameters; the list below it has their types."""
    for described in doctree.findall(addnodes.desc):
        *overloads, last = (
            child for child in described.children if isinstance(child, addnodes.desc_signature)
        )
        if overloads:
            last["ids"] = overloads[0]["ids"]
            for parameter in last.findall(addnodes.desc_parameter):
                name, end = parameter.children[0], parameter.children[-1]
                default = [nodes.Text("="), end] if "default_value" in end["classes"] else []
                parameter.children = [name, *default]
            for result in list(last.findall(addnodes.desc_returns)):
                last.remove(result)
        for overload in overloads:
            described.remove(overload)


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
    app.connect("autodoc-skip-member", skip_members)
    app.connect("autodoc-process-signature", hide_constructors)
    app.connect("object-description-transform", hide_parameters, priority=400)  # before autodoc adds types
    app.connect("doctree-read", link_only_classes)
    app.connect("env-updated", check_keywords)
    app.connect("doctree-read", add_index_entries)
    app.connect("doctree-read", polish_text)
    app.connect("doctree-read", keep_last_overload)
    app.connect("autodoc-process-docstring", plain_docstrings, priority=400)  # before Napoleon
    app.connect("html-page-context", describe_page)
    app.connect("source-read", link_files_of_the_repository)
