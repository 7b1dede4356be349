"""The rules of the interface, R1 to R25, as functions from a subject to problems.

A problem is "place: what is wrong". A rule calls the subjects as well as it looks at them. Exceptions are
entries of tests/contract/grammar.toml, each with its reason; there are none here.
"""

import inspect
import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import fields, is_dataclass
from functools import cache

import builders
import numpy as np
import subjects
from inner import DIFF_INDICES, OPTIONS, all_indices, refused_by
from subjects import Class, Command, Function, classes, quiet

import concordant as cc
from contract.checks import CHECKS, ROOT, at_definition, check
from contract.vocabulary import defaults, is_excepted, unused_exceptions, words

RULES = {}
CLUSTERINGS = (cc.Partition, cc.Cover, cc.Soft, cc.Hierarchy)


def rule(name, *kinds):
    """Declare a rule for functions, methods, classes or commands; it yields problems of one of them."""

    def declare(function):
        RULES.setdefault(name, []).append((kinds, function))
        return function

    return declare


def every_subject():
    return [*subjects.functions(), *subjects.methods(), *classes(), *subjects.commands()]


@cache
def raw_problems_of(name):
    """The problems of a rule, each once, with the function or class that has it; also those excepted."""
    found = {}
    with quiet():
        for kinds, function in RULES[name]:
            if not kinds:
                found.update(dict.fromkeys(function(), function))
            for each in every_subject() if kinds else ():
                if isinstance(each, kinds):
                    found.update(dict.fromkeys(completed(function, each), definition_of(each)))
    return found


def definition_of(subject):
    if isinstance(subject, Class):
        return subject.type
    return subject.function if isinstance(subject, Function) else subject.command.callback


def completed(function, subject):
    """The problems of a subject; an error that the rule did not expect is one of them."""
    try:
        yield from function(subject)
    except Exception as error:
        yield f"{subject}: {function.__name__} raises {one_line(error)}"


# -- words ------------------------------------------------------------------------------------------


@cache
def names_of(subject):
    return list(find_names(subject))


def find_names(subject):
    """The public names of a subject with their places: parameters, members, columns, keys, options."""
    if isinstance(subject, Function):
        for each in subject.parameters:
            yield f"{subject}({each.name}=)", each.name
    elif isinstance(subject, Class):
        for name in subject.members:
            yield f"{subject.type.__name__}.{name}", name
        for name in columns_of(subject):
            if name not in all_indices():
                yield f"{subject}[{name!r}]", name
        for name in keys_of(subject):
            yield f"{subject}.to_dict()[{name!r}]", name
    else:
        for each in subject.options:
            yield f"{subject} {each.opts[0]}", each.opts[0].lstrip("-").replace("-", "_")
        for each in subject.arguments:
            yield f"{subject} {each.name.upper()}", each.name


def says(subject, banned):
    """Places with a name that has a banned word."""
    for place, name in names_of(subject):
        for word in {*re.split(r"[_\W]+", name), name} & set(banned):
            yield place, word


@cache
def frame_of(subject):
    try:
        return subject.example.to_frame("polars")
    except Exception as error:
        return error


def columns_of(subject):
    """The columns of a dataframe, or the fields of a row."""
    if subject.is_result or "to_frame" in subject.members:
        return getattr(frame_of(subject), "columns", [])
    if is_dataclass(subject.example):
        return [each.name for each in fields(subject.example) if not each.name.startswith("_")]
    return []


def keys_of(subject):
    """The keys of to_dict() that are names, not those that are data."""
    try:
        content = subject.example.to_dict() if subject.is_result else {}
    except Exception:
        return []
    keys = {key for key in content if isinstance(key, str)} - set(all_indices())
    for value in content.values():
        for row in value[:1] if isinstance(value, list) else ():
            keys |= set(row) if isinstance(row, dict) else set()
    return sorted(key for key in keys if isinstance(key, str) and key.isidentifier())


@rule("R1", Function, Class, Command)
def sides(subject):
    banned = ["truth", "true", "experiment", "response", "key", "pred", "u", "v"]
    if not (isinstance(subject, Function) and subject.is_index):  # there it is the base of logarithms
        banned += ["base"]
    if isinstance(subject, Function) and subject.where == "estimate":
        banned += ["sample"]
    for place, word in says(subject, banned):
        yield f"{place}: {word!r} is not a word for a side"


@rule("R2", Function, Class, Command)
def many(subject):
    banned = ["partitions", "runs", "run", "system", "systems", "paths", "files"]
    for place, word in says(subject, banned):
        yield f"{place}: {word!r} is not a word for clusterings"


@rule("R2", Function)
def many_inputs(subject):
    """Each takes a mapping, a sequence, or one table."""
    for name in ("clusterings", "candidates", "references"):
        if not subject.takes(name) or "." in subject.where:
            continue
        forms = {
            "a mapping": builders.CLUSTERINGS,
            "a sequence": [list(each.values()) for each in builders.CLUSTERINGS.values()],
            "a table": builders.TABLE,
        }
        for form, given in forms.items():
            try:
                call_with_many(subject, name, form, given)
            except Exception as error:
                yield f"{subject}({name}=): refuses {form}: {one_line(error)}"


def call_with_many(subject, name, form, given):
    is_table = form == "a table"
    columns = {"columns": ["first", "second", "third"], "record": "record"} if is_table else {}
    other = builders.BEFORE if form == "a mapping" else list(builders.BEFORE.values())
    if name == "clusterings":
        return subject.function(given, **columns)
    if is_table:  # one input, with its columns in the order of the sides
        return subject.function(given, **columns)
    return subject.function(*((given, other) if name == "references" else (other, given)))


# The options without which a function has nothing to do.
REQUIRED = {"estimate": {"sampling": "clusters"}, "assert_agreement": {"minimum": {"rand": 0}}}


@rule("R3", Function)
def one_table(subject):
    """Every function of two or more clusterings takes one table with `columns=`."""
    sides = [name for name in ("reference", "before", "after", "candidate") if subject.takes(name)]
    if "." in subject.where or len(sides) < 2 or subject.where == "coreference":
        return
    if not subject.takes("columns"):
        yield f"{subject}: no columns="
        return
    given = {"columns": ["first", "second"], "record": "record"}
    given |= REQUIRED.get(subject.where, {})
    labels = [list(each.values()) for each in builders.CLUSTERINGS.values()][:2]
    try:
        value = subject.function(builders.TABLE, **given)
        expected = subject.function(*labels) if subject.is_index else value
        if value != expected and not (value is expected or math.isnan(value)):
            yield f"{subject}: a table gives {value}, lists give {expected}"
    except Exception as error:
        if not is_refused_for_labels(subject, labels):
            yield f"{subject}: refuses a table: {one_line(error)}"


def is_refused_for_labels(subject, labels):
    """An index of trees or soft partitions refuses labels in any form."""
    try:
        subject.function(*labels)
    except cc.ConcordantError:
        return subject.is_index
    return False


@rule("R4", Function)
def index_words(subject):
    for each in subject.parameters:
        if each.declared.kind is each.declared.VAR_POSITIONAL and each.name != "clusters":
            yield f"{subject}(*{each.name}): indices are one argument, `indices`"
        if each.name in ("spelling", "spellings", "measure", "metric", "metrics", "declared"):
            yield f"{each}: an index is `index`, several are `indices`"
    if subject.where in ("explain", "cite") and not (subject.takes("index") or subject.takes("indices")):
        yield f"{subject}: an index is `index`, several are `indices`"


@rule("R4", Class)
def spellings(subject):
    """A mapping of indices takes every spelling, and `indices` takes a string or a sequence."""
    example = subject.example
    if isinstance(example, Mapping) and subject.holds_indices:
        for key in list(example)[:3]:
            if key in all_indices():
                for spelling in (*all_indices()[key].aliases, key.upper()):
                    if spelling not in example:
                        yield f"{subject}: {spelling!r} is a spelling of {key}, but no key"
    for name, method in subject.methods.items():
        if (
            method.takes("indices")
            and method.parameter("indices").default is None
            and name
            in (
                "to_dict",
                "to_json",
                "to_markdown",
                "to_text",
                "to_latex",
                "to_metrics",
            )
        ):
            key = next(iter(example), None) if isinstance(example, Mapping) else None
            if isinstance(key, str):
                one, several = (getattr(example, name)(indices=each) for each in (key, [key]))
                if str(one) != str(several):
                    yield f"{subject}.{name}(indices=): a string differs from a list"


@rule("R5")
def one_catalogue():
    holders = [each for each in classes() if each.holds_indices]
    method_names = {name for each in holders for name in each.members}
    for name, index in all_indices().items():
        if index.sides == "diff" or name in DIFF_INDICES:
            continue
        if name not in cc.INDICES:
            yield f"{name}: not in INDICES"
        if not callable(getattr(cc, name, None)) or name not in cc.__all__:
            yield f"{name}: not a function"
        if not hasattr(index, "kind"):
            yield f"{name}: has no `kind`"
        beta = "beta" in index.parameters
        if name.endswith("_f") and not beta:
            yield f"{name}: ends in _f and has no beta; name it {name}1"
        if name.endswith("_f1") and beta:
            yield f"{name}: ends in _f1 and has beta"
    for each in holders:
        for name in set(dir(each.example)) & set(all_indices()) & {*each.type.__dict__}:
            if callable(inspect.getattr_static(each.type, name)):
                yield f"{each}.{name}: a method has the name of an index"
    yield from (f"{name}: a member has the name of an index" for name in method_names & set(all_indices()))


# -- parameters -------------------------------------------------------------------------------------

# In a method, the first that it has of these may be given by position.
FIRST_POSITIONAL = ("index", "by", "path", "backend", "kind", "indices", "limit")


@rule("R6", Function)
def positional(subject):
    is_method = "." in subject.where
    name = subject.where.rpartition(".")[2]
    optional = [each for each in subject.parameters if each.is_positional and not each.is_required]
    permitted = words("parameters")
    for each in subject.parameters:
        text = str(each.declared)
        if " at 0x" in text:
            yield f"{each}: the default prints an address"
        if each.is_positional and not permitted.get(each.name, {}).get("positional", True):
            yield f"{each}: keyword-only in the vocabulary"
    if name == "get" or subject.is_index:
        return
    if not is_method:
        for each in optional:
            if not permitted.get(each.name, {}).get("positional"):
                yield f"{each}: an option that is positional"
        return
    listed = {each.name: each for each in subject.parameters if each.name in FIRST_POSITIONAL}
    if name == "plot":
        listed = {"kind": listed["kind"]} if "kind" in listed else {}
    else:
        listed.pop("kind", None)
    first = min(listed.values(), key=lambda each: FIRST_POSITIONAL.index(each.name), default=None)
    if any(each.is_required for each in listed.values()):
        first = None  # it is the one positional argument
    for each in optional:
        if each != first:
            yield f"{each}: an optional argument that is positional"
    if first and not first.is_positional and first.name != "indices":
        yield f"{first}: the first of {', '.join(FIRST_POSITIONAL)}, so positional"


@rule("R7", Function)
def lists(subject):
    is_complete = words("methods").get(subject.where.rpartition(".")[2], {}).get("complete")
    if subject.takes("limit") and is_complete:
        yield f"{subject}(limit=): a complete table has no limit"


@rule("R7", Class)
def slices_of_lists(subject):
    example = subject.example
    if subject.is_list and not isinstance(example, tuple):
        part = example[:1]
        if type(part) is not type(example):
            yield f"{subject}[:1]: a {type(part).__name__}"
        elif not hasattr(part, "to_frame"):
            yield f"{subject}[:1]: no to_frame"


GROUPING = ("slices", "ask", "diff", "to_html", "compare")


@rule("R8", Function)
def grouping(subject):
    name = subject.where.rpartition(".")[2]
    if subject.takes("by") and name not in GROUPING:
        yield f"{subject.parameter('by')}: `by` groups; the sort key is `order`"
    if name == "by":
        yield f"{subject}: the list is `slices(by)`"
    if (order := subject.parameter("order")) and not isinstance(order.default, str):
        yield f"{order}: order={order.default!r} is not a sort key"


@rule("R8", Class)
def grouping_attribute(subject):
    if "by" in subject.attributes:
        yield f"{subject.type.__name__}.by: `by` groups records"


@rule("R9", Function)
def confidence(subject):
    level = subject.parameter("level")
    cuts = ("height", "threshold", "n_clusters", "k")
    if level and not any(map(subject.takes, cuts)):
        yield f"{level}: the level of an interval is `confidence`"


@rule("R9", Class)
def confidence_attribute(subject):
    level = subject.attributes.get("level")
    if isinstance(level, float) or ("level" in columns_of(subject) and "low" in columns_of(subject)):
        yield f"{subject.type.__name__}.level: the level of an interval is `confidence`"


@rule("R9", Command)
def confidence_option(subject):
    for each in subject.options:
        if "--level" in each.opts and isinstance(each.default, float):
            yield f"{subject} --level: the level of an interval is --confidence"


@rule("R10", Function)
def uncertainty(subject):
    for each in subject.parameters:
        if each.name in ("permutations", "swaps", "resamples", "draws") and not each.is_required:
            yield f"{each}: one of `n_resamples`, `n_draws`, `n_pairs`"
        allowed = {"stability": 100, "stability_over": 20}
        if each.name == "n_resamples" and each.default != allowed.get(subject.where, 9999):
            yield f"{each}: the default is {each.default!r}"


# Plural nouns: as a number, each is `n_` and the noun, or `size`.
NOUNS = """
    records clusters elements runs draws pairs units cells pieces parts components questions references
    candidates permutations swaps resamples systems documents columns rows overlaps examples steps mentions
    merges splits births deaths sources targets clusterings slices
"""
COUNTED = set(NOUNS.split())


@rule("R11", Function, Class, Command)
def counts_and_words(subject):
    for place, word in says(subject, ["elements", "element", "what"]):
        if "element_" not in place:
            yield f"{place}: {word!r}: things clustered are records"
    for place, name in names_of(subject):
        single = len(name) == 1 and name not in ("X", "q", "p", "z")
        if single and words("parameters").get(name, {}).get("symbol") is None:
            yield f"{place}: a single letter"
    if isinstance(subject, Function):
        for each in subject.parameters:
            is_number = isinstance(each.default, int) and not isinstance(each.default, bool)
            if each.name in COUNTED and (is_number or "int" in str(each.declared.annotation).split(" |")[0]):
                yield f"{each}: a count is n_{each.name}"
    elif isinstance(subject, Class):
        for name, value in subject.attributes.items():
            if name in COUNTED and isinstance(value, int | np.integer):
                right = "size" if name in ("records", "elements") else f"n_{name}"
                yield f"{subject.type.__name__}.{name}: a count is {right}"
        if subject.is_result and not isinstance(frame_of(subject), Exception):
            for name, kind in frame_of(subject).schema.items():
                if name in COUNTED and kind.is_numeric():
                    yield f"{subject}[{name!r}]: a count is n_{name}, or size"
        if re.search(r"\belements?\b", repr(subject.example)):
            yield f"{subject}: the repr says 'elements': {repr(subject.example)[:80]}"


INPUT_OPTIONS = {name: each.default for name, each in OPTIONS.items()}


def is_of_clusterings(subject):
    inputs = ("candidate", "clusterings", "after", "candidates", "settings", "index")
    return (
        "." not in subject.where
        and subject.where
        not in (
            "coreference",
            "sample_size",
            "explain",
            "cite",
        )
        and any(map(subject.takes, inputs))
    )


@rule("R12", Function)
def input_options(subject):
    if not is_of_clusterings(subject):
        return
    found = {each.name: each.default for each in subject.parameters if each.name in INPUT_OPTIONS}
    if missing := [name for name in INPUT_OPTIONS if name not in found]:
        yield f"{subject}: no {', '.join(missing)}"
    for name, default in found.items():
        if default != INPUT_OPTIONS[name]:
            yield f"{subject}({name}=): {default!r}, not {INPUT_OPTIONS[name]!r}"
    if list(found) != [name for name in INPUT_OPTIONS if name in found]:
        yield f"{subject}: options in another order: {', '.join(found)}"


@rule("R13", Function)
def names_of_sides(subject):
    makes = "." not in subject.where or subject.where.rpartition(".")[2].startswith(("from_", "of"))
    if subject.takes("names") and not makes:
        yield f"{subject.parameter('names')}: names are given where a result is made"


# -- results ----------------------------------------------------------------------------------------


@rule("R14", Class)
def property_or_method(subject):
    for name, method in subject.methods.items():
        is_class_method = isinstance(subject.members[name], classmethod | staticmethod)
        entry = words("methods").get(name, {})
        if not method.parameters and not is_class_method and not entry.get("computes") and name[:3] != "to_":
            yield f"{method}(): takes no argument, so a property; or say in the vocabulary what it computes"
    for name in ("headline", "signature", "omitted", "size", "names", "notes"):
        if name in subject.methods:
            yield f"{subject.methods[name]}(): a property"
    for name in ("summary", "best"):
        if name in subject.members and name not in subject.methods:
            yield f"{subject.type.__name__}.{name}: a method"


FORMS = (
    "to_dict",
    "to_frame",
    "to_json",
    "to_markdown",
    "to_latex",
    "to_text",
    "to_metrics",
    "_repr_html_",
    "headline",
)


@rule("R15", Class)
def every_result(subject):
    kind, example = subject.type, subject.example
    is_row = is_dataclass(example) or isinstance(example, tuple)
    if not subject.is_result and not is_row and not isinstance(example, CLUSTERINGS):
        yield f"{kind.__name__}: not a Result"
    if kind.__name__ not in subjects.documented() and not kind.__name__.startswith("_"):
        yield f"{kind.__name__}: not documented (from {subject.reached})"
    for name, error in subject.errors.items():
        yield f"{subject}.{name}: the example raises {one_line(error)}"
    if not subject.is_result:
        return
    for form in FORMS:
        if not hasattr(kind, form):
            yield f"{kind.__name__}: no {form}"
    text = repr(example)
    if "\n" in text:
        yield f"{kind.__name__}: the repr has several lines: {one_line(text)[:60]}"
    elif not text.startswith(f"<{kind.__name__}"):
        is_report = subject.is_public or subject.type.__name__ in REPORTS
        kinds = {"a list": subject.is_list, "a dataclass": is_dataclass(example) and not is_report}
        place = next(
            (f"repr of {name} ({kind.__name__})" for name, is_one in kinds.items() if is_one), kind.__name__
        )
        yield f"{place}: {text[:60]!r} is not <{kind.__name__} of ...>"
    if isinstance(getattr(kind, "headline", None), property):
        headline = example.headline
        if not isinstance(headline, str) or not headline or "\n" in headline:
            yield f"{subject}.headline: {headline!r} is not one line"
    if subject.holds_indices:
        for form in FORMS[:7]:
            method = subject.methods.get(form)
            if method and not (method.takes("indices") and method.parameter("indices").default is None):
                yield f"{kind.__name__}.{form}: no indices=None"


@rule("R15")
def nothing_undocumented():
    for each in subjects.functions():
        if not each.is_index and each.where not in subjects.documented():
            yield f"{each}: not documented"
    for name, reached in subjects.search()[1].items():
        if name.startswith("_"):
            continue
        yield f"{name}: not documented, and public: {reached}"
    page = "".join((ROOT / "docs" / each).read_text(encoding="utf-8") for each in ("api.md", "results.md"))
    for name, excluded in re.findall(r":: ([\w.]+)\n   :exclude-members: (.*)", page):
        for each in excluded.split(", "):
            yield f"{name.rpartition('.')[2]}.{each}: hidden from the reference, so it begins with _"


@rule("R15")
def classes_without_an_example():
    """Classes of `__all__`, and those that signatures name, have an example."""
    known, found = subjects.classes_by_name(), {each.type.__name__ for each in classes()}
    for name in cc.__all__:
        thing = getattr(cc, name)
        has_example = isinstance(thing, type) and any(thing in each.type.__mro__ for each in classes())
        if isinstance(thing, type) and not issubclass(thing, Exception) and not has_example:
            yield f"{name}: no example in tests/support/builders.py"
    for each in classes():
        for name, static in each.members.items():
            function = getattr(static, "fget", None) or getattr(static, "__func__", None) or static
            said = str(getattr(function, "__annotations__", {}).get("return", ""))
            for other in set(re.findall(r"\w+", said)) & set(known):
                is_base = any(known[other] in one.type.__mro__ for one in classes())
                if other not in found and not is_base and not issubclass(known[other], BaseException):
                    yield f"{each.type.__name__}.{name}: returns {other}, which has no example"


REPORTS = ("Slices", "Questions", "Judgements")


@rule("R16", Class)
def reports(subject):
    if not subject.is_result or not (subject.is_public or subject.type.__name__ in REPORTS):
        return
    kind, example = subject.type, subject.example
    for name in ("size", "names", "signature", "omitted", "plot", "to_html"):
        if not hasattr(example, name):
            yield f"{kind.__name__}: no {name}"
    if hasattr(example, "plot"):
        method = subject.methods["plot"]
        for name in ("kind", "ax", "width"):
            if not method.takes(name):
                yield f"{method}: no {name}"
        try:
            shown = example.plot()
            if type(shown).__name__ != "Display":
                yield f"{method}: returns a {type(shown).__name__}, not a Display"
        except Exception as error:
            yield f"{method}: {one_line(error)}"
        finally:
            import matplotlib.pyplot as plt

            plt.close("all")


@rule("R17", Class)
def long_frames(subject):
    if not subject.is_result or isinstance(frame_of(subject), Exception):
        return
    if (
        subject.is_list
        and not isinstance(subject.example, tuple)
        and hasattr(subject.example[:0], "to_frame")
    ):
        try:
            empty = subject.example[:0].to_frame("polars").columns
            if empty != columns_of(subject):
                yield f"{subject}: empty, it has the columns {empty}, not {columns_of(subject)}"
        except Exception as error:
            yield f"{subject}[:0].to_frame(): {one_line(error)}"
    wide = [name for name in columns_of(subject) if name in all_indices() and len(columns_of(subject)) > 2]
    if wide and not is_row_list(subject):
        yield f"{subject}: {len(wide)} columns are indices, such as {wide[0]}: one row for each index"
    if subject.type.__name__ in ("Matrix", "Slices") and not subject.methods["to_frame"].takes("wide"):
        yield f"{subject}.to_frame: no wide="


def is_row_list(subject):
    """A list whose rows are findings: their scores are fields."""
    return subject.is_list and is_dataclass(next(iter(subject.example), None))


@rule("R18", Class)
def column_names(subject):
    for name in columns_of(subject):
        if name not in words("columns") and name not in all_indices():
            yield f"{subject}[{name!r}]: not a column of the vocabulary"


@rule("R19", Class)
def protocol(subject):
    example, name = subject.example, subject.name
    if not hasattr(subject.type, "__getitem__") or isinstance(example, tuple):
        return
    is_clustering = isinstance(example, CLUSTERINGS)
    if isinstance(example, Mapping | Sequence):
        listed = list(example)
        if len(listed) != len(example):
            yield f"{name}: iterates over {len(listed)}, and len is {len(example)}"
        for method in (
            ("values", "items", "keys", "get") if isinstance(example, Mapping) else ("index", "count")
        ):
            if not callable(getattr(example, method, None)):
                yield f"{name}.{method}: an attribute hides a method of the protocol"
        if isinstance(example, Mapping) and listed and listed[0] not in example:
            yield f"{name}: {listed[0]!r} is listed, but not in it"
    elif not is_clustering:
        yield f"{name}: has [], and is neither a Mapping nor a Sequence"
    for key in (object(), "no such key", []):
        try:
            if key in example:
                yield f"{name}: {key!r} is in it"
        except Exception as error:
            yield f"{name}: `in` raises {one_line(error)}"
            break
    key = 10**9 if isinstance(example, Sequence) else "no such key"
    try:
        example[key]
        yield f"{name}[{key!r}]: there is a value"
    except (IndexError, KeyError) as error:
        if isinstance(error, KeyError) and not isinstance(error, cc.ConcordantError):
            yield f"{name}[{key!r}]: {type(error).__name__} is not an error of ours"
    except Exception as error:
        yield f"{name}[{key!r}]: {one_line(error)}"


@rule("R20", Class)
def values(subject):
    from concordant.errors import ReadOnlyError

    example, name = subject.example, subject.type.__name__
    if not isinstance(example, tuple) and name != "Display":
        expected = ReadOnlyError if subject.is_result and not is_row(subject) else AttributeError
        for attribute in [*list(subject.attributes)[:1], "no_such_attribute"]:
            try:
                setattr(example, attribute, getattr(example, attribute, None))
                yield f"{name}.{attribute} = ...: accepted"
                if attribute == "no_such_attribute":
                    delattr(example, attribute)
            except expected:
                pass
            except (AttributeError, TypeError) as error:  # a frozen dataclass with slots raises either
                if subject.is_result:
                    yield f"{name}.{attribute} = ...: {type(error).__name__}, not {expected.__name__}"
        if subject.holds_indices and (found := [each for each in dir(example) if each in all_indices()]):
            try:
                setattr(example, found[0], 0.0)
                yield f"{name}.{found[0]} = ...: accepted"
            except (AttributeError, TypeError):
                pass
    yield from changeable(example, name)
    for attribute, value in {**subject.attributes, **subject.results}.items():
        if attribute in subject.attributes and type(value) in (dict, list, set):
            yield f"{name}.{attribute}: a {type(value).__name__} that can be changed"
        if type(value) not in (dict, list, set):  # fresh ones of methods belong to the caller
            yield from changeable(value, f"{name}.{attribute}")


def changeable(value, where, depth=0):
    """The arrays and mappings in a value that can be changed."""
    if isinstance(value, np.ndarray):
        if value.flags.writeable and value.size:
            yield f"{where}: a writable array"
    elif hasattr(value, "tocsr"):
        for part in ("data", "indices", "indptr", "row", "col"):
            yield from changeable(getattr(value, part, None), f"{where}.{part}", depth + 1)
    elif depth < 4 and isinstance(value, Mapping | Sequence) and not isinstance(value, str | bytes):
        keys = list(value)[:4] if isinstance(value, Mapping) else range(min(len(value), 3))
        try:
            value["no such key" if isinstance(value, Mapping) else 0] = 1
            yield f"{where}[...] = ...: accepted"
        except TypeError:
            pass
        for key in keys:
            yield from changeable(value[key], f"{where}[{key!r}]", depth + 1)
    if depth < 4 and is_dataclass(value):
        for each in fields(value):
            if not each.name.startswith("_"):
                yield from changeable(getattr(value, each.name, None), f"{where}.{each.name}", depth + 1)


def is_row(subject):
    return is_dataclass(subject.example)


@rule("R21", Class)
def one_type(subject):
    for name, method in subject.methods.items():
        if name in ("to_dict", "to_metrics", "to_frame", "get"):
            continue
        value = subject.results.get(name)
        if type(value) in (dict, list) or re.match(r"dict|list", method.returns):
            yield f"{method}: returns a {type(value).__name__ if value is not None else method.returns}"
        kinds = [each for each in split_union(method.returns) if each != "None"]
        if len(kinds) > 1:
            yield f"{method}: returns {method.returns}"
    for name, value in subject.attributes.items():
        if type(value) in (dict, list) and not is_row(subject):
            yield f"{subject.type.__name__}.{name}: a bare {type(value).__name__}"


@rule("R21", Function)
def one_type_of_functions(subject):
    if "." not in subject.where:
        kinds = [each for each in split_union(subject.returns) if each != "None"]
        if len(kinds) > 1:
            yield f"{subject}: returns {subject.returns}"


def split_union(annotation):
    """The alternatives of an annotation: `|` outside brackets."""
    parts, depth = [""], 0
    for letter in annotation:
        depth += (letter in "[(") - (letter in "])")
        if letter == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [each.strip() for each in parts if each.strip()]


@rule("R22")
def units():
    from math import isclose

    labels = list(builders.REFERENCE.values()), list(builders.AFTER.values())
    whole = cc.variation_of_information(*labels)
    if not isclose(cc.vi_split(*labels) + cc.vi_merge(*labels), whole):
        yield "vi_split: vi_split + vi_merge differs from variation_of_information"
    for name, base in (("vi_split", math.e), ("vi_merge", math.e), ("cremi_score", 2)):
        shown = inspect.signature(getattr(cc, name)).parameters.get("base")
        if shown is None or shown.default != base:
            yield f"{name}: the unit is not visible as base={base:g}"
    for each in classes():
        if each.is_result and "%" in re.sub(r"% interval", "", repr(each.example)):
            yield f"{each.type.__name__}: the repr has percentages: {one_line(repr(each.example))[:70]}"


@rule("R23")
def clusterings():
    base = getattr(cc, "Clustering", None)
    if base is None:
        yield "Clustering: not in concordant"
    for kind in CLUSTERINGS:
        name, example = kind.__name__, builders.EXAMPLES[kind.__name__]()
        if base is not None and not issubclass(kind, base):
            yield f"{name}: not a Clustering"
        if type(example) is not kind:
            yield f"{name}: the class is {type(example).__name__}"
        wanted = (
            "records clusters size n_clusters omitted same_clusters to_dict to_frame write of from_frame scan"
        )
        for each in wanted.split():
            if not hasattr(example, each):
                yield f"{name}: no {each}"
        if not hasattr(example, {"Partition": "labels", "Hierarchy": "cut"}.get(name, "memberships")):
            yield f"{name}: no data"
        columns = {
            "Partition": ["record", "cluster"],
            "Cover": ["record", "cluster"],
            "Soft": ["record", "cluster", "weight"],
            "Hierarchy": ["node", "parent", "record", "level", "height", "size"],
        }[name]
        if (found := list(example.to_frame("polars").columns)) != columns:
            yield f"{name}: the columns of to_frame() are {found}, not {columns}"


# -- command line -----------------------------------------------------------------------------------


@rule("R24", Command)
def options(subject):
    """Each option is a parameter of a Python function, or of the vocabulary, with its default."""
    permitted, taken = words("options"), {}
    for function in python_functions(subject):
        taken = {each.name: each for each in function.parameters} | taken
    for each in subject.options:
        name = each.opts[0].lstrip("-")
        entry, parameter = permitted.get(name), parameter_of(name, taken)
        if parameter in taken and entry is None:
            shown = taken[parameter].default
            if not is_same_default(each.default, shown):
                yield f"{subject} --{name}: {each.default!r}, and {shown!r} in Python"
        elif entry is None:
            yield f"{subject} --{name}: neither a parameter of its Python function nor in the vocabulary"
        elif repr(each.default) not in defaults(entry) and not (
            parameter in taken and is_same_default(each.default, taken[parameter].default)
        ):
            yield f"{subject} --{name}: {each.default!r}, not {' or '.join(defaults(entry))}"
    wanted = words("commands").get(subject.name)
    if wanted is None:
        yield f"{subject}: not in the vocabulary"
    elif (found := " ".join(each.name for each in subject.arguments)) != wanted["arguments"]:
        yield f"{subject}: the arguments are {found!r}, not {wanted['arguments']!r}"


def parameter_of(option, taken):
    """The parameter of an option; one that may be repeated is named in the singular."""
    plural = {"index": "indices", "kind": "kinds"}.get(option)
    return plural if plural in taken else option.replace("-", "_")


@rule("R24", Command)
def parameters_of_functions(subject):
    """A command has each parameter of its Python functions, except those that they refuse."""
    if subject.name not in words("commands"):
        return
    lacks = {*words("python_only"), *words("commands")[subject.name].get("lacks", ())}
    names = {each.name for each in [*subject.options, *subject.arguments]}
    for function in python_functions(subject):
        taken = {each.name: each for each in function.parameters}
        lacks |= set(refused_by(function.function))
        given = {parameter_of(each, taken) for each in names}
        for parameter in taken.values():
            if not parameter.is_variadic and parameter.name not in given | lacks:
                yield f"{subject}: no --{parameter.name.replace('_', '-')}"


def is_same_default(option, parameter):
    if parameter is inspect.Parameter.empty or option == parameter:
        return True
    if isinstance(parameter, tuple | list) and isinstance(option, tuple | list):
        return list(option) == list(parameter)
    return (option in ([], (), False) and parameter is None) or option == [parameter]


def python_functions(subject):
    known = {each.where: each for each in [*subjects.functions(), *subjects.methods()]}
    return [known[each] for each in words("commands").get(subject.name, {}).get("functions", ())]


READING = ("record", "cluster", "format", "separator", "header", "encoding", "engine", "memory")


@rule("R24", Command)
def shared_options(subject):
    """Commands that read clusterings share these options, except what their Python functions refuse."""
    command = words("commands").get(subject.name, {})
    if command.get("reads"):
        names = {each.opts[0].lstrip("-") for each in subject.options}
        refused = [refused_by(each.function) for each in python_functions(subject)]
        lacks = {*command.get("lacks", ())}.union(*refused)
        for name in (*READING, "columns", "weights", "threads", "output", "json", "html"):
            if name not in names | lacks:
                yield f"{subject}: no --{name}"


@rule("R25", Command)
def gates_and_help(subject):
    names = {each.opts[0].lstrip("-") for each in subject.options}
    if words("commands").get(subject.name, {}).get("numbers"):
        for name in ("fail-under", "fail-over"):
            if name not in names:
                yield f"{subject}: no --{name}"
    lines = command_output(subject.name, "-h").count("\n")
    if lines > 60:
        yield f"{subject} -h: {lines} lines"


def command_output(*arguments):
    from concordant.cli import main

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main([*map(str, arguments)])
        except SystemExit as ended:
            if ended.code:
                raise RuntimeError(err.getvalue().strip() or f"exit status {ended.code}") from ended
    return out.getvalue()


@rule("R25", Class)
def json_envelope(subject):
    if not subject.is_result or not subject.is_public:
        return
    found = json.loads(subject.example.to_json())
    wanted = ["schema", "version", "signature", "headline", "size", "names", "omitted", "conventions", "data"]
    if missing := [key for key in wanted if key not in found]:
        yield f"{subject}.to_json(): no {', '.join(missing)}"
    elif list(found) != wanted:
        yield f"{subject}.to_json(): the keys are {', '.join(found)}"
    elif not re.fullmatch(r"concordant\.[\w.]+/\d+", found["schema"]):
        yield f"{subject}.to_json(): schema {found['schema']!r}"


@rule("R25", Command)
def json_of_commands(subject):
    """--json prints what to_json() gives."""
    if not words("commands").get(subject.name, {}).get("reads"):
        return
    arguments = builders.command_arguments(subject.name)
    try:
        printed = json.loads(command_output(subject.name, *arguments, "--json"))
    except Exception as error:
        yield f"{subject} --json: {one_line(error)}"
        return
    if not isinstance(printed, dict) or "schema" not in printed:
        yield f"{subject} --json: no schema"


# -- vocabulary -------------------------------------------------------------------------------------


@rule("words", Function)
def known_parameters(subject):
    permitted = words("parameters")
    for each in subject.parameters:
        if each.is_variadic:
            continue
        entry = permitted.get(each.name)
        if entry is None:
            yield f"{each}: not in the vocabulary"
            continue
        shown = (
            "required" if each.is_required else "MISSING" if is_missing(each.default) else repr(each.default)
        )
        if shown not in defaults(entry):
            yield f"{each}: the default {shown} is not in the vocabulary"


def is_missing(default):
    return "object at 0x" in repr(default) or repr(default) == "MISSING"


@rule("words", Class)
def known_methods(subject):
    for name, method in subject.methods.items():
        if subject.is_result and name not in words("methods"):
            yield f"{method}: not in the vocabulary"


def one_line(thing):
    text = f"{type(thing).__name__}: {thing}" if isinstance(thing, BaseException) else str(thing)
    return " ".join(text.split())[:200]


def check_of(rule):
    """The check of a rule: its problems that tests/contract/grammar.toml does not except."""

    def problems():
        for problem, thing in raw_problems_of(rule).items():
            if not is_excepted(rule, problem):
                yield at_definition(thing, problem)

    return problems


CHECKS.update({f"grammar:{rule}": check_of(rule) for rule in RULES})


@check
def exceptions_are_needed():
    for rule, pattern in unused_exceptions({rule: raw_problems_of(rule) for rule in RULES}):
        unneeded = f"no problem of {rule} needs the exception {pattern!r}; remove it"
        yield f"tests/contract/grammar.toml:1: {unneeded}"
