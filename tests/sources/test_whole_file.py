"""Files that are written whole or not at all."""

import pytest
from inner import whole_file, write_whole

from concordant.errors import FileError


def test_a_file_has_the_mode_that_others_have(tmp_path):
    (tmp_path / "usual").write_text("x")
    path = write_whole(tmp_path / "whole", "x")
    assert path.stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("name", ["x" * 255, "ä" * 127])
def test_a_name_may_be_as_long_as_the_system_allows(tmp_path, name):
    assert write_whole(tmp_path / name, "whole").read_text() == "whole"


def test_what_fails_on_the_way_leaves_the_old_file_and_nothing_else(tmp_path):
    target = write_whole(tmp_path / "file", "old")
    writing = whole_file(target)
    writing.__enter__().write_text("half")
    with pytest.raises(KeyboardInterrupt):
        writing.gen.throw(KeyboardInterrupt)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_lines_end_alike_on_every_system(tmp_path):
    assert write_whole(tmp_path / "file", "a\nb\n").read_bytes() == b"a\nb\n"


def test_where_nothing_can_be_written(tmp_path):
    with pytest.raises(FileError, match="there is no folder"):
        write_whole(tmp_path / "none" / "file", "x")
    with pytest.raises(FileError, match="it is a folder; name a file in it"):
        write_whole(tmp_path, "x")
