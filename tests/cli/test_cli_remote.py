"""Files on other machines: a local server that speaks S3, a local web server, and what can go wrong."""

import functools
import gzip
import http.server
import json
import logging
import sys
import threading
from pathlib import Path

import fsspec
import polars as pl
import pytest
from commands import GUESS, TRUTH, table
from not_run import few

import concordant as cc
from concordant.errors import FileError, MissingExtraError

EXPECTED = cc.compare(TRUTH, GUESS).adjusted_rand
COLUMNS = {"record": "id", "cluster": "label"}


def frame(clusters):
    return pl.DataFrame({"id": list(clusters), "label": list(clusters.values())})


def write_files():
    """Both sides in every format, in the current folder."""
    for name, clusters in (("truth", TRUTH), ("guess", GUESS)):
        table(f"{name}.csv", clusters)
        frame(clusters).write_parquet(f"{name}.parquet")
        frame(clusters).write_ipc(f"{name}.arrow")
        Path(f"{name}.csv.gz").write_bytes(gzip.compress(Path(f"{name}.csv").read_bytes()))
    Path("parts").mkdir()
    for part, rows in enumerate((frame(GUESS)[:2], frame(GUESS)[2:])):
        rows.write_parquet(f"parts/part-{part}.parquet")


@pytest.fixture(scope="module")
def s3(tmp_path_factory):
    """A bucket with files of every format, and the variables by which fsspec finds it."""
    from moto.server import ThreadedMotoServer  # every process collects this file, and one runs it

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        patch.setenv("AWS_ACCESS_KEY_ID", "key")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        system = fsspec.filesystem("s3", skip_instance_cache=True)
        system.mkdir("bucket")
        patch.chdir(tmp_path_factory.mktemp("bucket"))
        write_files()
        for path in (path for path in Path().rglob("*") if path.is_file()):
            system.pipe(f"bucket/{path.as_posix()}", path.read_bytes())
        yield system
    server.stop()


@pytest.fixture
def bucket(s3, run):  # noqa: ARG001  (run has a folder of its own)
    write_files()
    return s3


@pytest.fixture
def web(run):  # noqa: ARG001  (its folder is what is served)
    """The address of a web server for the folder of the test."""
    table("truth.csv", TRUTH)
    table("guess.csv", GUESS)
    frame(TRUTH).write_parquet("truth.parquet")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(Path.cwd()))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("ending", few(3, ["parquet", "arrow", "csv.gz", "csv"]))
def test_every_format_of_a_bucket(bucket, run, ending):
    del bucket
    ran = run("compare", f"s3://bucket/truth.{ending}", f"s3://bucket/guess.{ending}", "-i", "ARI", "--json")
    assert ran.values["ARI"] == EXPECTED


@pytest.mark.parametrize(
    "candidate", few(2, ["s3://bucket/parts/*.parquet", "guess.csv", "s3://bucket/parts"])
)
def test_patterns_folders_and_a_file_of_this_machine(bucket, run, candidate):
    del bucket
    named = [word for name, column in COLUMNS.items() for word in (f"--{name}", column)]
    ran = run("compare", "s3://bucket/truth.parquet", candidate, *named, "-i", "ARI", "--json")
    assert ran.values["ARI"] == EXPECTED


def test_other_commands_read_addresses(bucket, run):
    del bucket
    files = ["s3://bucket/truth.csv", "s3://bucket/guess.csv"]
    assert "guess" in run("matrix", *files).out
    assert run("suggest", *files).status == 0
    assert run("compare", *files, "--separator", "comma", "-i", "ARI", "--json").values["ARI"] == EXPECTED


def test_a_file_that_changes_is_noticed(bucket):
    bucket.pipe("bucket/changing.csv", Path("guess.csv").read_bytes())
    sides = [cc.Partition.scan(f"s3://bucket/{name}.csv", **COLUMNS) for name in ("truth", "changing")]
    c = cc.compare(*sides)
    assert c.adjusted_rand == EXPECTED
    bucket.pipe("bucket/changing.csv", b"id,label\na,1\nb,2\nc,3\nd,4\ne,5\n")
    with pytest.raises(FileError, match=r"s3://bucket/changing\.csv was changed"):
        str(c.changes()[0].records)


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("s3://bucket/none.parquet", "s3://bucket/none.parquet: there is no such file"),
        ("s3://bukket/truth.parquet", "there is no bucket 'bukket'"),
        ("s3://bucket/none*.parquet", "no file matches 's3://bucket/none*.parquet'"),
        ("s3://bucket/none.csv", "s3://bucket/none.csv: there is no such file"),
        ("nonsense://bucket/none.csv", "fsspec does not support nonsense://"),
    ],
)
def test_what_is_not_there(bucket, fails, address, complaint):
    del bucket
    assert complaint in fails("compare", "truth.parquet", address)


def test_bad_text_is_called_by_its_address(bucket, fails):
    bucket.pipe("bucket/bad.csv", b"id,label\na,1\nb\n")
    said = fails("compare", "truth.csv", "s3://bucket/bad.csv")
    assert "concordant: s3://bucket/bad.csv, line 3: 1 field where there should be 2" in said


@pytest.mark.parametrize("step", ["looking", "reading"])
def test_no_access(bucket, fails, monkeypatch, step):
    def refuse(*_, **__):
        raise PermissionError("Access Denied")

    if step == "looking":
        monkeypatch.setattr(type(bucket), "info", refuse)
    else:  # DuckDB reads Parquet itself
        monkeypatch.setattr("s3fs.S3File._fetch_range", refuse)
    type(bucket).clear_instance_cache()
    said = fails("compare", "truth.parquet", "s3://bucket/guess.parquet")
    assert "s3://bucket/guess.parquet: you do not have permission to read this (" in said
    assert "Access Denied); set AWS_PROFILE, or AWS_ACCESS_KEY_ID" in said
    assert "damaged" not in said


def test_a_web_server(web, run, fails):
    for name in ("truth.csv", "truth.parquet", "truth.csv?signature=x%2Fy"):
        ran = run("compare", f"{web}/{name}", "guess.csv", "-i", "ARI", "--json")
        assert ran.values["ARI"] == EXPECTED
    assert "there is no such file" in fails("compare", f"{web}/none.csv", "guess.csv")


@pytest.mark.parametrize(
    ("module", "address"), [("fsspec", "s3://bucket/truth.csv"), ("s3fs", "s3://bucket/truth.csv")]
)
def test_the_missing_extra_is_named(run, monkeypatch, module, address):
    del run
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules["fsspec.registry"]._registry, "s3", raising=False)
    partition = cc.Partition.scan(address, **COLUMNS)
    with pytest.raises(MissingExtraError, match=rf"{module}.*pip install 'concordant\[remote\]'"):
        cc.compare(partition, partition).adjusted_rand  # noqa: B018  (it is computed when asked for)


# -- folders and Arrow files of this machine -------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
def test_a_folder_of_parts(run, ending):
    table("truth.csv", TRUTH)
    Path("parts/_temporary").mkdir(parents=True)
    Path("parts/_SUCCESS").touch()
    Path("parts/.part.crc").touch()
    for part, rows in enumerate((frame(GUESS)[:2], frame(GUESS)[2:])):
        writers = {"csv": rows.write_csv, "parquet": rows.write_parquet, "arrow": rows.write_ipc}
        writers[ending](f"parts/part-{part}.{ending}")
    for place in ("parts", "parts/"):
        assert run("compare", "truth.csv", place, "-i", "ARI", "--json").values["ARI"] == EXPECTED


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_folders_state_columns(run, ending):
    table("truth.csv", TRUTH)
    for label, rows in frame(GUESS).group_by("label"):
        folder = Path(f"parts/label={label[0]}")
        folder.mkdir(parents=True)
        ids = rows.select("id")
        (ids.write_csv if ending == "csv" else ids.write_parquet)(folder / f"part-0.{ending}")
    ran = run("compare", "truth.csv", "parts", "--record", "id", "--cluster", "label", "--json")
    assert json.loads(ran.out)["data"]["adjusted_rand"] == EXPECTED


def test_folders_that_cannot_be_read(run, fails):
    del run
    table("truth.csv", TRUTH)
    Path("empty").mkdir()
    assert "the folder empty has no files that end with .parquet" in fails("compare", "truth.csv", "empty")
    for name, metadata in (("a.zarr", "c"), ("b", ".zarray"), ("c", "zarr.json")):
        Path(name).mkdir()
        Path(name, metadata).touch()
        assert f"{name} is a Zarr array; open it in Python" in fails("compare", "truth.csv", name)
    Path("mixed").mkdir()
    table("mixed/a.csv", GUESS)
    frame(GUESS).write_parquet("mixed/b.parquet")
    assert "files of several formats, CSV and Parquet" in fails("compare", "truth.csv", "mixed")


@pytest.mark.parametrize("name", ["guess.arrow", "guess.feather", "guess.ipc", "guess.arrows"])
def test_arrow_files_and_streams(run, name):
    table("truth.csv", TRUTH)
    rows = frame(GUESS)
    (rows.write_ipc_stream if name.endswith("s") else rows.write_ipc)(name)
    assert run("compare", "truth.csv", name, "-i", "ARI", "--json").values["ARI"] == EXPECTED


@pytest.mark.parametrize("command", ["matrix", "track", "consensus"])
def test_commands_for_many_partitions_read_every_format(run, command):
    write_files()
    expected = json.loads(run(command, "truth.csv", "guess=guess.csv", "--json").out)
    for file in ("guess.parquet", "guess.arrow", "parts"):
        assert json.loads(run(command, "truth.csv", f"guess={file}", "--json").out) == expected, file
    limited = run(command, "truth.csv", "guess=guess.csv", "--memory", "1GB", "--json")
    assert json.loads(limited.out) == expected
