"""What the command line says of every mistake: files, columns, records, options, places to write to."""

import pytest
from commands import GUESS, table, write


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "both.csv is empty"),
        ("\n \n", "both.csv is empty"),
        (b"\xef\xbb\xbf", "both.csv is empty"),
        ("u,v\n1,2\n1\n", "both.csv, line 3: 1 field where there should be 2 ('u', 'v')"),
        (
            "u,v\n1,2\n1,\n",
            "both.csv, line 3: the label in column 'v' is empty; pass --nulls drop to leave them out",
        ),
        ('u,v\n"1\n2",2\n,1\n', "both.csv, line 4: the label in column 'u' is empty"),
        (b"u,v\n1,2\n1,\xe9\n", "both.csv, line 3: not UTF-8 text; pass --encoding latin-1"),
        ("u,v\n1,2\n".encode("utf-16"), "--encoding utf-16"),
        (b"\x1f\x8b\x08junk", "both.csv is compressed, but damaged"),
        (b"PAR1\x15\x04\x00PAR1", "both.csv cannot be read: a file is damaged"),
        (b"ARROW1\0\0", "both.csv cannot be read: a file is damaged"),
        (b"PK\x03\x04\x14\0", "both.csv is a spreadsheet or a zip archive"),
        ("PAR1,v\n", "has 2 columns ('PAR1', 'v'), and there is no second file"),
        ("u\n1\n", "both.csv has 1 column ('u'), and there is no second file; pass --columns"),
        ("u;v\n1;2\n", "try --separator semicolon"),
        ("u\tv\n1\t2\n", "try --separator tab"),
    ],
)
def test_bad_files(fails, content, complaint):
    write("both.csv", content)
    named = ["--columns", "u,v"] if content[:3] in ("u,v", b"u,v") else []
    assert complaint in fails("compare", "both.csv", *named)


def test_text_in_another_encoding(fails):
    write("both.csv", "u,v\n1,é\n")
    assert "both.csv, line 2: not utf-16 text" in fails("compare", "both.csv", "--encoding", "utf-16")
    write("both.csv", "u,v\n1,é\n".encode("latin-1"))
    for spelling in ("utf-8", "UTF_8"):
        said = fails("compare", "both.csv", "--encoding", spelling)
        assert "; pass --encoding latin-1 to read it as latin-1, or --encoding utf-16 to" in said


def test_columns_that_are_not_there(fails):
    write("both.csv", "id,truth,guess\n1,1,1\n")
    said = fails("compare", "both.csv", "--columns", "truth,gues")
    assert (
        "both.csv has no column 'gues'; did you mean 'guess'? It has 3 columns ('id', 'truth', 'guess')"
        in said
    )
    write("many.csv", ",".join(f"column{number}" for number in range(30)) + "\n")
    assert "and 18 more)" in fails("compare", "many.csv", "--columns", "a,b")
    write("twice.csv", "a,a,b\n1,2,3\n")
    assert "2 columns called 'a'" in fails("compare", "twice.csv", "--columns", "a,b")


def test_one_file_given_twice(run):
    write("run.csv", "id,run,old\n1,a,a\n2,a,b\n")
    ran = run("compare", "run.csv", "run.csv", "--record", "id", "--cluster", "run")
    assert ran.status == 0
    assert ran.err == (
        "concordant: both sides are the same: run.csv, column run, by id; pass another file, or "
        "--columns A,B to compare two columns of one file\n"
    )
    columns = "--record", "id", "--cluster", "reference=run", "--cluster", "candidate=old"
    assert run("compare", "run.csv", "run.csv", *columns).err == ""


def test_files_that_cannot_be_read(fails, tmp_path):
    assert "there is no file missing.csv" in fails("compare", "missing.csv")
    write("kmeans.csv", "a,b\n")
    assert "there is no file kmean.csv; did you mean 'kmeans.csv'?" in fails("compare", "kmean.csv")
    assert "has no files that end with" in fails("compare", tmp_path / "temporary")
    assert "cannot read" in fails("compare", "x" * 300)


def test_a_closed_standard_input(fails):
    assert "standard input is closed" in fails("compare", "-", stdin=None)


def test_records_that_do_not_fit(fails, two_files):
    write("guess.csv", "id,group\na,1\nb,1\na,2\n")
    said = fails("compare", *two_files)
    assert "guess.csv: the record 'a' is on line 2 and again on line 4; each record" in said
    write("guess.csv", "id,group\na,1\nb,1\na,2\nb,2\n")
    assert "(2 rows repeat a record)" in fails("compare", *two_files)
    write("guess.csv", "id,group\na,1\n,1\n")
    assert "guess.csv, line 3: the record id is empty" in fails("compare", *two_files)
    write("guess.csv", "id,x,y\na,1,2\n")
    assert (
        "guess.csv has 3 columns ('id', 'x', 'y'); pass --record ... and --cluster ... to specify the columns"
        in fails("compare", *two_files)
    )
    assert "; pass --cluster ... to specify the columns" in fails("compare", *two_files, "--record", "id")
    table("guess.csv", {"p": 1, "q": 1, "r": 1, "s": 1, "a": 2})
    assert (
        "different records: 4 only in the reference ('b', 'c', 'd', ...) and 4 only in the candidate "
        "('p', 'q', 'r', ...); pass --unmatched drop"
    ) in fails("compare", *two_files)


def test_labels_that_do_not_fit(fails):
    write("truth.csv", "label\n1\n1\n2\n")
    write("guess.csv", "label\na\nb\n")
    assert (
        "the reference has 3 labels and the candidate 2; labels align by position, so both need one for each "
        "record; name the records on both sides to align by name "
        "(reference truth.csv, column label; candidate guess.csv, column label)\n"
    ) in fails("compare", "truth.csv", "guess.csv")
    table("guess.csv", GUESS)
    assert "the candidate names its records and the reference does not; name them on both" in fails(
        "compare", "truth.csv", "guess.csv"
    )
    write("guess.csv", "label\na\n\nb\n")
    assert "guess.csv, line 3: the label in column 'label' is empty" in fails(
        "compare", "truth.csv", "guess.csv"
    )


def test_clusters_that_do_not_fit(fails):
    write("p.csv", "a,b\nc\n")
    write("q.csv", "a\n\nb,a\n")
    said = fails("compare", "p.csv", "q.csv", "--format", "clusters")
    assert "q.csv: the record 'a' is in two clusters, on line 1 and on line 3" in said
    write("q.csv", "a,,b\n")
    assert "q.csv, line 1: a record is empty" in fails("compare", "p.csv", "q.csv", "--format", "clusters")
    write("q.csv", ",,\n")
    assert "q.csv contains no clusters" in fails("compare", "p.csv", "q.csv", "--format", "clusters")
    write("q.csv", "a,b\nd\n")
    assert "1 only in the reference ('c') and 1 only in the candidate ('d')" in fails(
        "compare", "p.csv", "q.csv", "--format", "clusters"
    )


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["-i", "adjusted_rnd"], "did you mean adjusted_rand"),
        (["-i", "f_measure(gamma=2)"], "does not take 'gamma': it takes beta"),
        (["-i", "f_measure(beta=-1)"], "beta must be a positive finite number"),
        (["-i", "f_measure(beta=2"], "cannot read 'f_measure(beta=2'; write it like"),
        (["--fail-under", "0.95"], "write it like --fail-under INDEX=0.95"),
        (["--fail-under", "ARI=high"], "write it like --fail-under INDEX=0.95"),
        (["--fail-over", "ARI=nan"], "write it like --fail-over INDEX=0.95"),
        (["--fail-under", "f_measure(gamma=2)=1"], "does not take 'gamma'"),
        (["--fail-under", "ARI=95"], "no comparison can pass: the range of adjusted_rand is [-1/2, 1]"),
        (["--fail-over", "variation_of_information=-1"], "no comparison can pass"),
        (["--memory", "1KB"], "DuckDB does not work with less than 1MB"),
        (["--engine", "pandas"], "the engines are auto and spark; compare dataframes in Python"),
        (["--cluster", "ref=label"], "the sides are called reference and candidate"),
        (["--cluster", "LABEL"], "did you mean 'label'?"),
        (["--fail-under", "nonsense=1"], "there is no index 'nonsense'"),
        (["--fail-under", "VI=1"], "VI is a distance, so smaller is better; use --fail-over"),
        (["--fail-over", "ARI=1"], "ARI is a similarity, so larger is better; use --fail-under"),
        (
            ["--noise", "-1"],
            "--noise -1: the treatment of noise is not specified; pass --noise-as cluster to keep",
        ),
        (
            ["--noise-as", "drop"],
            "--noise-as drop: the noise label is not specified; pass --noise ... to name it",
        ),
        (["--columns", "a,b"], "--columns picks columns of one file"),
        (["--separator", "ab"], "--separator 'ab': give a single ASCII character, or one of tab"),
        (["--encoding", "klingon"], "--encoding klingon: Python does not know this encoding"),
        (["--record", "a", "--record", "b"], "--record 'b': name one column for all files, or one for each"),
        (["--cluster", "reference="], "--cluster 'reference=': name one column"),
        (["--format", "clusters", "--cluster", "x"], "cannot be combined with it"),
        (["--format", "clusters", "--noise", "x"], "--format clusters has no labels"),
    ],
)
def test_options_that_make_no_sense(fails, two_files, options, complaint):
    assert complaint in fails("compare", *two_files, *options)


@pytest.mark.usefixtures("two_files")
def test_shapes_that_make_no_sense(fails):
    assert "only once" in fails("compare", "-", "-")
    assert "join several files" in fails("compare", "truth.csv", "--record", "id")
    assert "takes two files" in fails("compare", "truth.csv", "--format", "clusters")
    for columns in ("id", "", "a,b,c", "a\n,b"):
        assert "in the order of the sides" in fails("compare", "truth.csv", "--columns", columns)
    assert "did you mean" in fails("explain", "ajusted_rand")
    assert "does not take" in fails("explain", "jaccard(beta=2)")
    assert "there is no family 'x'; there are 'Pair counting'" in fails("indices", "--family", "x")


def test_output_that_cannot_be_written(fails, two_files, tmp_path):
    for place, said in (
        ("nowhere/x", "there is no folder nowhere"),
        ("truth.csv/x", "there is no folder truth.csv"),
    ):
        assert said in fails("compare", *two_files, "-o", place)
    assert "it is a folder" in fails("compare", *two_files, "-o", tmp_path)


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare"],
        ["compare", "a", "b", "c"],
        ["compare", "a", "--unmatched", "no"],
        ["nothing"],
        ["--nothing"],
    ],
)
def test_bad_use_is_told_by_the_parser(run, arguments):
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert "Usage: concordant" in ran.err
    assert "Traceback" not in ran.err
