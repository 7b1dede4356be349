"""The command line on two partitions: what it reads, which options it takes, and what it shows."""

import json
from pathlib import Path

import pytest
from commands import DIGITS, EXPECTED, GUESS, TRUTH, table, values, write

import concordant as cc

# -- three shapes -----------------------------------------------------------------------------------


def test_two_files_are_joined_by_record_whatever_their_order(run, two_files):
    ran = run("compare", *two_files)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(
        "reference  truth.csv, column label, by id\ncandidate  guess.csv, column group, by id\n"
    )
    assert EXPECTED.to_text(form="terminal") in ran.out


@pytest.mark.parametrize(
    "options",
    [
        ["--record", "id", "--cluster", "reference=label", "--cluster", "candidate=group"],
        ["--record", "reference=id", "--record", "candidate=id"],
        ["--cluster", "reference=label"],
        ["--record", "id"],
        ["--cluster", "label", "--cluster", "candidate=group"],
    ],
)
def test_columns_may_be_named_for_both_sides_or_one(run, two_files, options):
    assert run("compare", *two_files, *options, "--json").values == values(EXPECTED)


def test_more_columns_and_any_order_of_columns(run):
    rows = "".join(f"x,{label},{element}\n" for element, label in TRUTH.items())
    write("wide.csv", "note,label,id\n" + rows)
    table("guess.csv", GUESS, "id,label")
    ran = run("compare", "wide.csv", "guess.csv", "--record", "id", "--cluster", "label", "--json")
    assert ran.values == values(EXPECTED)


def test_one_file_with_two_columns_of_labels(run):
    rows = [f"{element},{TRUTH[element]},{GUESS[element]}\n" for element in TRUTH]
    write("both.csv", "id,truth,guess\n" + "".join(rows))
    ran = run("compare", "both.csv", "--columns", "truth,guess")
    assert ran.status == 0
    assert "both.csv, column guess" in ran.out
    swapped = run("compare", "both.csv", "--columns", "guess,truth", "--json").values
    assert swapped["precision"] == EXPECTED.recall


def test_standard_input_with_two_columns(run):
    text = "".join(f"{TRUTH[element]}\t{GUESS[element]}\n" for element in TRUTH).encode()
    ran = run("compare", "-", "--columns", "1,2", "--separator", "tab", "--no-header", "--json", stdin=text)
    assert ran.values == values(EXPECTED)


def test_one_side_may_come_from_standard_input(run, two_files):
    ran = run("compare", "truth.csv", "-", "--json", stdin=two_files[1].read_bytes())
    assert ran.values == values(EXPECTED)


def test_columns_have_numbers_without_a_header(run):
    write("both.csv", "x,1,a\nx,1,b\nx,2,b\n")
    ran = run("compare", "both.csv", "--no-header", "--columns", "2,3", "--json")
    assert ran.values == values(cc.compare([1, 1, 2], [0, 1, 1]))


def test_single_columns_are_compared_row_by_row(run):
    write("truth.csv", "label\n1\n1\n2\n")
    write("guess.csv", "label\na\nb\nb\n")
    ran = run("compare", "truth.csv", "guess.csv", "--json")
    assert ran.values == values(cc.compare([1, 1, 2], [0, 1, 1]))


def test_a_single_row_is_a_partition(columns):
    assert columns("u,v\n1,2", "-i", "ARI").out.split() == ["ARI", "1.0000", "[-1/2,", "1]"]


def test_one_cluster_a_line(run):
    write("p.csv", "a,b\n\nc,d\ne\n")
    write("q.tsv", "e\nd\tc\ta\nb\t\t\n")
    ran = run("compare", "p.csv", "q.tsv", "--format", "clusters", "--json")
    assert ran.values == values(EXPECTED)


def test_elements_of_one_file_stand_alone_in_the_other_as_in_the_perl_script(run):
    write("p.csv", "1,2\n3\n")
    write("q.csv", "1\n2,3\n4\n")
    ran = run("compare", "p.csv", "q.csv", "--format", "clusters", "--unmatched", "singletons", "--json")
    assert ran.values["rand"] == 2 / 3
    assert ran.values["jaccard"] == 0


# -- text as it is written --------------------------------------------------------------------------


def test_long_fields(columns):
    found = json.loads(columns(f"u,v\n{'x' * 200_000},1\n{'x' * 200_000}y,2\n", "--json").out)
    assert "n=2 K=2 L=2" in found["signature"]


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_other_encodings(columns, encoding):
    ran = columns("u,v\né,1\nè,2\n".encode(encoding), "--encoding", encoding, "--json")
    assert "n=2 K=2 L=2" in json.loads(ran.out)["signature"]


# -- options ----------------------------------------------------------------------------------------


def test_chosen_indices_under_the_names_asked_for(run, two_files):
    ran = run("compare", *two_files, "-i", "ARI", "--index", "f_measure(beta=2)")
    lines = [line.split(maxsplit=2) for line in ran.out.splitlines()]
    assert lines == [
        ["ARI", f"{EXPECTED.adjusted_rand:.4f}", "[-1/2, 1]"],
        ["f_measure(beta=2)", f"{EXPECTED['f_measure(beta=2)']:.4f}", "[0, 1]"],
    ]
    ran = run("compare", *two_files, "-i", "ARI", "--json")
    assert ran.values == {"ARI": EXPECTED.adjusted_rand}


def test_undefined_values_are_told(columns):
    text, precision = "u,v\n1,1\n1,2\n1,3\n", ("-i", "precision")
    assert "0/0" in columns(text, *precision).out
    assert columns(text, *precision, "--undefined", "nan", "--json").values == {"precision": None}
    ran = columns(text, *precision, "--undefined", "raise")
    assert (ran.status, ran.out) == (2, "")
    assert "precision is undefined" in ran.err


@pytest.mark.parametrize(
    ("how", "clusters", "size"), [("cluster", 2, 4), ("singletons", 1, 4), ("drop", 1, 2)]
)
@pytest.mark.parametrize("noise", ["-1", ""])
def test_noise(columns, noise, how, clusters, size):
    text = f"u,v\n{noise},1\n{noise},1\n0,1\n0,1\n"
    said = json.loads(columns(text, "--noise", noise, "--noise-as", how, "--json").out)
    assert said["size"] == size
    assert f"n={size} K={clusters}" in said["signature"]
    assert f"noise={noise!r} as {how}" in said["signature"]


@pytest.mark.parametrize(("how", "size"), [("drop", 4), ("singletons", 6)])
def test_unmatched(run, two_files, how, size):
    table("guess.csv", {**{k: v for k, v in GUESS.items() if k != "a"}, "new": "z"})
    ran = run("compare", *two_files, "--unmatched", how, "--json")
    assert json.loads(ran.out)["size"] == size
    assert "only_reference=1 | only_candidate=1" in ran.out


def test_output_goes_to_a_file_whole(run, two_files):
    for options in ([], ["-i", "ARI"], ["--json"]):
        printed = run("compare", *two_files, *options).out
        ran = run("compare", *two_files, *options, "--output", "result")
        assert (ran.status, ran.out, ran.err) == (0, "", "")
        assert Path("result").read_text(encoding="utf-8") == printed
    assert sorted(path.name for path in Path().iterdir()) == ["guess.csv", "result", "truth.csv"]


def test_output_follows_links_and_leaves_devices_alone(run, two_files):
    write("result", "old")
    Path("link").symlink_to("result")
    run("compare", *two_files, "--json", "-o", "link")
    assert Path("link").is_symlink()
    assert Path("result").read_text(encoding="utf-8").startswith("{")
    assert run("compare", *two_files, "-o", "/dev/null").status == 0
    assert not Path("/dev/null").is_file()


def test_limits_make_a_gate(run, two_files):
    held = ["--fail-under=adjusted_rand=-0.5", "--fail-under=f_measure(beta=2)=0", "--fail-over=VI=9"]
    assert run("compare", *two_files, *held).status == 0
    ran = run("compare", *two_files, *held, "--fail-under", "ARI=0.95", "--fail-over", "VI=0.5")
    assert ran.status == 1
    assert ran.err == (
        f"concordant: adjusted_rand is {EXPECTED['ARI']!r}; it should be at least 0.95\n"
        f"concordant: variation_of_information is {EXPECTED['VI']!r}; it should be at most 0.5\n"
    )
    assert EXPECTED.to_text(form="terminal") in ran.out


def test_a_value_that_is_not_there_holds_no_limit(columns):
    text = "u,v\n1,1\n1,2\n1,3\n"
    assert columns(text, "--fail-under", "precision=1").status == 0
    assert columns(text, "--undefined", "nan", "--fail-under", "precision=0").status == 1


def words(text):
    """The text without its line breaks, since the command folds long lines."""
    return " ".join(text.split())


@pytest.mark.parametrize("options", [[], ["--engine", "auto"]])
def test_the_size_of_a_sample(run, two_files, options):
    sizes = cc.compare(GUESS, GUESS)._counts.column_sizes
    for sampling in ("records", "clusters"):
        ran = run("sample-size", two_files[1], "--sampling", sampling, "--within", "0.1", *options)
        assert words(ran.out) == words(str(cc.sample_size(sizes, within=0.1, sampling=sampling)))
    assert "Missing option '--sampling'" in run("sample-size", two_files[1]).err


# -- pages --------------------------------------------------------------------------------------------


def test_a_page_besides_the_table(run, two_files):
    ran = run("compare", *two_files, "-i", "rand", "--html", "diff.html")
    assert ran.status == 0
    assert ran.out.startswith("rand")
    page = Path("diff.html").read_text(encoding="utf-8")
    first, second = (Path(file).stem for file in two_files)
    assert f"<title>{second} against {first}</title>" in page


def test_a_page_names_the_columns_of_one_file(run):
    write("both.csv", "old,new\na,1\na,2\n")
    assert run("compare", "both.csv", "--columns", "old,new", "--html", "d.html", "-i", "rand").status == 0
    assert "<title>new against old</title>" in Path("d.html").read_text(encoding="utf-8")


def test_a_page_shows_what_is_known_of_records(run, fails):
    write("u.csv", "id,label\np,a\nq,a\nr,b\n")
    write("v.csv", "id,label\np,1\nq,2\nr,2\n")
    write("people.csv", "id,name,born\np,Ann,1812\nq,Anne,1812\nr,Bob,1980\n")
    page = ("compare", "u.csv", "v.csv", "--html", "d.html")
    assert run(*page, "--details", "people.csv", "--show", "name").status == 0
    html = Path("d.html").read_text(encoding="utf-8")
    assert "<bdi>Anne</bdi>" in html
    assert "1812" not in html
    assert "this needs --details" in fails(*page, "--show", "name")
    assert "this needs --html" in fails("compare", "u.csv", "v.csv", "--details", "people.csv")
    assert "no column 'nam'" in fails(*page, "--details", "people.csv", "--show", "nam")


def test_the_costliest_clusters_are_told(run, two_files):
    out = run("compare", *two_files).out
    assert out.splitlines()[3] == "1 of 5 records is in the wrong cluster: guess cluster y"
    assert "2 wrong pairs, 100% of all: guess cluster y mixes truth clusters" in out


def test_a_terminal_of_25_lines_and_80_columns_is_enough(run, two_files):
    lines = run("compare", *two_files).out.splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80


def test_all_shows_the_whole_text_of_a_comparison(run, two_files):
    everything = run("compare", *two_files, "--all").out
    assert words(f"{EXPECTED:all}") in words(everything)
    assert "fowlkes_mallows" in everything


def test_digits(run):
    said = json.loads(run("compare", DIGITS / "truth.csv", DIGITS / "kmeans.csv", "--json").out)
    assert said["size"] == 1797
    assert "K=10 L=10" in said["signature"]
    assert 0.6 < said["data"]["adjusted_rand"] < 0.7


def test_hostile_labels_do_not_reach_the_terminal(run):
    labels = ["\x1b[31mred", "\x07bell", "\u202egnirts", "x" * 10_000]
    rows = "".join(f'"{label}","{i % 2}\x1b[2J"\n' for i, label in enumerate(labels * 2))
    ran = run("compare", "-", "--columns", "u\x1b[2J,v", stdin=('"u\x1b[2J",v\n' + rows).encode())
    assert ran.status == 0
    assert "\x1b" not in ran.out
    assert "\x07" not in ran.out
    assert "\u202e" not in ran.out
    told = [line for line in ran.out.splitlines() if "pairs, " in line]
    assert told
    assert max(map(len, told)) <= 80
