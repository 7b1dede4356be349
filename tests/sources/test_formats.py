"""The registry of file formats: a mistake in it is an error that names the file to edit."""

import ast
from dataclasses import replace

import pytest
from inner import Reader, formats
from source_trees import PACKAGE, tree

MODULE = PACKAGE / "sources" / "formats" / "__init__.py"
CSV = formats.format_called("csv")


@pytest.mark.parametrize("each", formats.FORMATS, ids=lambda each: each.name)
def test_every_format_names_its_reader(each):
    assert isinstance(each.reader, Reader), f"{MODULE}: correct {each.defined_in!r} of {each.name!r}"
    assert each.reader.format is each


def test_type_checkers_know_every_format():
    """They need a literal list; at run time it is made of the formats."""
    assigned = [node for node in ast.walk(tree(MODULE)) if isinstance(node, ast.Assign)]
    (listed,) = (node.value.slice for node in assigned if ast.unparse(node).startswith("Format = Literal['"))
    names = [each.name for each in formats.FORMATS]
    assert list(ast.literal_eval(listed)) == names, f"{MODULE}: list all formats in Format"


@pytest.mark.parametrize(
    ("new", "fault"),
    [
        ({"name": "csv", "endings": (".new",)}, "'csv' and 'csv' both have 'csv'"),
        ({"name": "new"}, "'csv' and 'new' both have '.csv'"),
        ({"name": "new", "endings": (".gz",)}, "'a compression' and 'new' both have '.gz'"),
        ({"name": "new", "endings": ()}, "'new' has no ending"),
    ],
)
def test_formats_that_names_do_not_tell_apart(new, fault):
    with pytest.raises(ValueError, match=fault) as error:
        formats.check_formats([CSV, replace(CSV, **new)])
    assert "src/concordant/sources/formats/__init__.py" in str(error.value)
