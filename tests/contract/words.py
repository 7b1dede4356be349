"""One word, one meaning: no name is defined twice, modules are named by nouns, and prose is plain English."""

import ast
import re
from collections import defaultdict

from contract.checks import ROOT, at, check
from contract.sources import MODULES, PACKAGE, nodes, tree

PARTICIPLES = ["listing", "brought", "straight", "watching", "changed"]

# Words and constructions that sound translated, and better ones.
WORDS = {
    r"so that": "so, to, or a new sentence",
    r"says?|said|saying|tells?|told|telling": "report, show, specify, state, determine",
    r"lies?|lain|lying": "is, is stored, occurs",
    r"stands?|stood|standing": "is, occurs, represents",
    r"comes? (?:in (?:runs|one|any|the)|along)|goes by": "is, has, uses",
    r"(?<!there )(?:is|are|was|were) no(?! (?:longer|more|less|better|worse|slower|larger))": "is not a",
    r"(?:indices|scores|measures) of (?:pairs|partitions|covers|trees|coreference)": "pair-counting indices",
    r"are had": "are",
    r"alike": "similar, in the same way",
    r"mend(?:s|ed|ing)?|anew|sooner|at once|besides": "fix, again, faster, immediately or together, also",
    r"guess(?:es|ed|ing)?(?![.,]\w)": "prediction, candidate, estimate",
    r"laws?": "distribution; of an index: property",
    r"shuffl(?:e|es|ed|ing)": "permutation, permute",
    r"processor time|texts|figures": "CPU time, strings, charts",
    r"sets? apart": "become singletons",
    r"met|meeting": "matched, joined, satisfied",
    r"brought": "fetched, returned, mapped",
    r"rooms?|houses?|floors?|doors?|faces": "space, package, layer, entry point, compatibility modules",
    r"tangled?": "many-to-many",
    r"company": "co-members",
    r"makeshift|hardly|seldom": "approximation, barely, rarely",
    r"(?<!at )least": "minimal, smallest",
}
ANY_WORD = re.compile("|".join(rf"\b(?:{word})\b" for word in WORDS), re.IGNORECASE)
# A sentence that begins with a clause: "What could mean two things is refused.", "Where a side is empty, ..."
CLAUSE = re.compile(r"(?:^|(?<=[.!?:;] ))(?:What|Who|Whoever|Whatever|Where) [^?.;:|]*[.;]")

# Uses that are right, and why.
ALLOWED = {
    "huffle files": "Spark calls it so",
    "huffle write": "Spark calls it so",
    "huffle read": "Spark calls it so",
    "Spark shuffles": "Spark calls it so",
    "Later steps shuffle": "Spark calls it so",
    "records shuffle": "Spark calls it so",
    "| met |": "of a target",
    "floor": "the fastest possible time, on the pages of benchmarks",
    "Floor": "the fastest possible time, on the pages of benchmarks",
    "to the door": "a door, in a story",
    "ables and figures": "figures of a paper",
    "## Figures": "figures of a paper",
    "Matplotlib figures": "Matplotlib calls them so",
    "Plotly figures": "Plotly calls them so",
    "Drapers' Company": "a publisher",
    "Bur. Stand.": "a publisher",
    "to ░ least": "the lower end of a scale",
    "cell alike": "a class of the style sheet",
    "{tangled}": "a temporary table of a query",
    "group | guess": "names that a column may have",
    "truth,guess": "names of columns in an example",
    "('truth', 'guess')": "names of files in an example",
    "least : float": "a parameter",
    "shuffle.py": "a module on Spark",
    "shuffle FOLDER": "a module on Spark",
    "JOIN guess": "a table of a query",
    "AS guess": "a table of a query",
    ": met": "of a target",
}


@check
def prose():
    """Pages, docstrings, comments, messages, help and templates avoid words that sound translated."""
    for path, line, text in paragraphs_of_all_files():
        for match in [*ANY_WORD.finditer(text), *CLAUSE.finditer(text)]:
            around = text[max(match.start() - 40, 0) : match.end() + 40]
            yield at(path, line, f"{match[0][:40]!r} in {around!r}; {better(match[0])}")


def better(words):
    """The advice on words that were found."""
    advice = (advice for word, advice in WORDS.items() if re.search(rf"\b(?:{word})\b", words, re.IGNORECASE))
    return f"write: {next(advice, 'a noun, or if')}"


@check
def examples_of_prose():
    """What the check of prose finds."""
    for text, is_plain in (
        ("Frames are counted where they lie.", False),
        ("it is sorted so that bands cross little", False),
        ("the signature says which", False),
        ("Mirkin is no metric", False),
        ("the least Σ n(n−1)", False),
        ("What could mean two things is an error.", False),
        ("It works. Where a side is empty, it is 0.", False),
        ("There is no truth.", True),
        ("at least two", True),
        ("What went wrong?", True),
        ("It is no longer slow.", True),
        ("Applies to both.", True),
    ):
        if is_plain == bool(ANY_WORD.search(text) or CLAUSE.search(text)):
            yield f"{text!r} is {'not ' if is_plain else ''}found to be plain"


def paragraphs_of_all_files():
    """(file, line, text) of every paragraph, comment and string that a person may read."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/*.md")]
    for path in pages:
        text = path.read_text(encoding="utf-8")
        without_code = re.sub(r"```.*?```|^ {4,}.*$", blank_lines, text, flags=re.DOTALL | re.MULTILINE)
        yield from paragraphs(path, 1, without_code)
    for path in [*MODULES, *ROOT.glob("scripts/*.py"), *ROOT.glob("bench/*.py"), ROOT / "site" / "conf.py"]:
        for node in nodes(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                without_code = re.sub(r"^ *(?:>>>|\.\.\.) .*$", "", node.value, flags=re.MULTILINE)
                yield from paragraphs(path, node.lineno, without_code)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if comment := re.search(r"(?:^ *|  )# (.*)", line):
                yield path, number, plain(comment[1])
    for path in [*PACKAGE.rglob("*.js"), *PACKAGE.rglob("*.css")]:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for text in re.findall(r"(?:^ *\*|/[*/]) .*|[\"'`][^\"'`]* [^\"'`]*[\"'`]", line):
                yield path, number, plain(text)


def blank_lines(match):
    return "\n" * match[0].count("\n")


def paragraphs(path, line, text):
    for part in re.split(r"(\n\s*\n|\n(?=\s*[-|#*]))", text):
        yield path, line, plain(part)
        line += part.count("\n")


def plain(text):
    """On one line, without code, addresses and allowed uses."""
    text = re.sub(r"``[^`]*``|`[^`\n]*`|(?<=\])\([^)]*\)|https?://\S+", "", " ".join(text.split()))
    if ANY_WORD.search(text):
        for allowed in ALLOWED:
            text = text.replace(allowed, "")
    return text


def defined_names(module):
    """The public classes and type aliases that a module defines, and does not import."""
    for node in tree(module).body:
        if isinstance(node, ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [each.id for each in targets if isinstance(each, ast.Name) and is_type_name(each.id)]
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


def is_type_name(name):
    """Whether a name is written as those of types are: Integers, and not INDICES."""
    return name[0].isupper() and not name.isupper() and "_" not in name


@check
def defined_once():
    """No two modules define a class or a type of the same name."""
    owners = defaultdict(list)
    for module in MODULES:
        for name in set(defined_names(module)):
            owners[name].append(module)
    for name, modules in owners.items():
        if len(modules) > 1:
            yield at(modules[0], 1, f"{name} is also defined in {', '.join(map(str, modules[1:]))}")


@check
def nouns():
    """Modules are named by nouns."""
    yield from (at(path, 1, "a module is named by a noun") for path in MODULES if path.stem in PARTICIPLES)


@check
def renamed():
    """Modules of ours go by their own names."""
    for module in MODULES:
        for node in nodes(module):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "concordant":
                for each in node.names:
                    if each.asname:
                        yield at(module, node.lineno, f"{each.name} is imported as {each.asname}")
