"""The registry of file formats: a mistake in it is an error that names the file to edit."""

import ast
from dataclasses import replace

import pyarrow as pa
import pytest
from contract.sources import PACKAGE, tree
from inner import Reader, formats
from pyarrow import feather

from concordant.errors import FileError, ParameterError

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
def test_formats_that_share_a_name_or_an_ending(new, fault):
    with pytest.raises(ValueError, match=fault) as error:
        formats.check_formats([CSV, replace(CSV, **new)])
    assert "src/concordant/sources/formats/__init__.py" in str(error.value)


@pytest.mark.parametrize("each", formats.FORMATS, ids=lambda each: each.name)
def test_what_a_format_does_not_define_is_refused(each, tmp_path):
    """It is neither written as another format nor read by Spark as one."""
    bare = Reader(each)
    assert not bare.is_written
    with pytest.raises(FileError, match=f"cannot write {each.title} files"):
        bare.write(tmp_path / "new", {"record": ["a"]})
    for action in (bare.check_for_spark, lambda paths: bare.on_spark(None, paths, paths)):
        with pytest.raises(ParameterError, match=f"Spark does not read {each.title} files"):
            action(["x"])
    for action in (bare.preview, lambda _, path: bare.relation(_, [path], ["record"], path)):
        with pytest.raises(FileError, match=f"cannot read x: {each.title} files"):
            action(None, "x")


def test_spark_refuses_arrow_before_it_starts(fails):
    feather.write_feather(pa.table({"record": ["a"], "cluster": ["x"]}), "x.arrow")
    fault = fails("compare", "x.arrow", "x.arrow", "--engine", "spark")
    assert "--engine spark: Spark does not read Arrow files" in fault
