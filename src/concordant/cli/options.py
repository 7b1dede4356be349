"""What ``compare`` and ``matrix`` take: its help, and the type, spelling and meaning of each option."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from concordant.cli import inputs
from concordant.counts import conventions
from concordant.many.draws import LossName
from concordant.partitions.formats import titles

COMPARE = """Compare two partitions in files; the reference comes first.

\b
Two files of records and their clusters, joined by record:
  concordant compare truth.csv guess.csv
  concordant compare truth.csv guess.csv --record id --cluster label
  concordant compare a.csv b.csv --record id --cluster reference=entity --cluster candidate=cluster
One file with two columns of labels, one row an element:
  concordant compare both.csv --columns truth,guess
  cut -f 2,3 all.tsv | concordant compare - --separator tab --columns truth,guess
Two files with one cluster a line, its elements separated:
  concordant compare truth.txt guess.txt --format clusters --unmatched singletons

\b
Files of any size: Parquet, JSON lines, large or compressed text, several files as one:
  concordant compare truth.parquet 'run/*.parquet' --record id --cluster label --memory 1GB
  concordant compare truth.parquet guess.csv.gz --engine polars --unmatched singletons

Without --record and --cluster a file has two columns, record and cluster, or a single one, labels in the
same order on both sides. SIDE is reference or candidate. Labels are text as written: 1 and 01 differ.

\b
Some indices only, for programs, as a page to look at, and as a gate:
  concordant compare truth.csv guess.csv -i ARI -i 'f_measure(beta=2)'
  concordant compare truth.csv guess.csv --json --output run.json
  concordant compare truth.csv guess.csv --html diff.html --records people.csv --show name,born
  concordant compare truth.csv guess.csv --fail-under adjusted_rand=0.95
How sure the values are:
  concordant compare truth.csv guess.csv -i f_measure --significance --interval --unit document
"""

MATRIX = """Compare many partitions in files, all against all, by one index or several.

\b
Files of records and their clusters, joined by record:
  concordant matrix runs/*.csv
  concordant matrix runs/*.csv -i ARI -i AMI
  concordant matrix runs/*.csv --index variation_of_information --html runs.html
  concordant matrix monday.csv tuesday.csv friday.csv --record id --cluster label --unmatched drop
One file with many columns of labels, one row an element:
  concordant matrix all.csv --columns truth,monday,tuesday,friday
Files with one cluster a line, its elements separated:
  concordant matrix runs/*.txt --format clusters

Partitions are called by the names of their files or columns. Rows are the reference, columns the candidate.
Files are read as by `concordant compare`.
"""

SUGGEST = """Suggest single edits of the candidate, best first: clusters to merge and split, records to move.

\b
Each line has an edit, the value of the index after it, and the gain:
  concordant suggest truth.csv guess.csv
  concordant suggest truth.csv guess.csv --index f_measure --kind merge --largest 5
The best edit made, then the next best, as often as --steps says:
  concordant suggest truth.csv guess.csv --steps 10
For programs:
  concordant suggest truth.csv guess.csv --json --output edits.json

Files are read as by `concordant compare`.
"""

CONTRAST = """Say what a new candidate fixed and what it broke, judged by one reference.

\b
  concordant contrast truth.csv old.csv new.csv
  concordant contrast truth.csv old.csv new.csv --nearly 1 --html new.html
  concordant contrast truth.parquet old.parquet new.parquet --record id --cluster label

A cluster is right where it is exact or nearly so, a record where it lies in the core of its cluster. Each was
fixed or broken, or is still wrong or still right, so that the numbers add up. Files are read as by
`concordant compare`, by an engine where they are large or not text.
"""

TRACK = """Follow clusters through partitions in order: splits, merges, births and deaths.

\b
  concordant track monday.csv tuesday.csv friday.csv --html week.html
  concordant track all.csv --columns k2,k3,k4

Partitions are called by the names of their files or columns. Records may come and go.
"""

CONSENSUS = """Find the partition nearest to many, and how stable each record is.

\b
A table with the columns record, cluster and stability:
  concordant consensus runs/*.csv -o consensus.csv
  concordant consensus runs/*.csv --loss binder --seed 7 --json
  concordant consensus all.csv --columns monday,tuesday,friday --html runs.html

Stability is a record's mean element-centric similarity to the partitions: 1 where all give it the same
company.
With --output, the loss and whether it is proven to be least go to standard error.
Files are read as by `concordant matrix`; all must hold the same records.
"""

# -- what is read -----------------------------------------------------------------------------------

ReferenceOption = Annotated[
    str, typer.Argument(metavar="REFERENCE", help=f"{titles()}; - is standard input.")
]
CandidateOption = Annotated[
    str | None,
    typer.Argument(metavar="CANDIDATE", help="The second file; leave it out if one file has both columns."),
]
BeforeOption = Annotated[str, typer.Argument(metavar="BEFORE", help="The candidate before.")]
AfterOption = Annotated[str, typer.Argument(metavar="AFTER", help="The candidate after.")]
FilesOption = Annotated[
    list[str],
    typer.Argument(metavar="FILES", help="CSV or TSV files, or one with many columns; - is standard input."),
]
ManyColumnsOption = Annotated[
    str | None,
    typer.Option("--columns", metavar="A,B,C", help="One file: the columns that hold labels."),
]
OneRecordOption = Annotated[
    list[str] | None,
    typer.Option("--record", metavar="COLUMN", help="Several files: the column that names the record."),
]
OneClusterOption = Annotated[
    list[str] | None,
    typer.Option("--cluster", metavar="COLUMN", help="Several files: the column that names its cluster."),
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(metavar="U,V", help="One file: the columns of the reference's and candidate's labels."),
]
RecordOption = Annotated[
    list[str] | None,
    typer.Option(metavar="[SIDE=]COLUMN", help="Two files: the column that names the record."),
]
ClusterOption = Annotated[
    list[str] | None,
    typer.Option(metavar="[SIDE=]COLUMN", help="Two files: the column that names the record's cluster."),
]
FormatOption = Annotated[inputs.FileShape, typer.Option(help="Rows with columns, or one cluster a line.")]
SeparatorOption = Annotated[
    str | None,
    typer.Option(
        help="What separates fields; if not given, a tab in .tsv and .tab files, a comma in others."
    ),
]
HeaderOption = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether the first line names the columns; without a header they are called 1, 2, 3.",
    ),
]
EncodingOption = Annotated[str, typer.Option(help="How the text is encoded.")]
EngineOption = Annotated[
    str | None,
    typer.Option(
        metavar="[auto|duckdb|polars|spark]",
        help="What counts files that are large or not text: the compiled core (auto), or one of these.",
    ),
]
MemoryOption = Annotated[
    str | None,
    typer.Option(metavar="SIZE", help="What may be used, such as 1GB; the rest goes to disk."),
]

# -- how it is compared -----------------------------------------------------------------------------

UnmatchedOption = Annotated[
    conventions.Unmatched, typer.Option(help="What to do with elements on one side only.")
]
NullsOption = Annotated[conventions.Nulls | None, typer.Option(help="What an engine does with null labels.")]
TableLimitOption = Annotated[
    int,
    typer.Option(
        metavar="NUMBER",
        help="How many overlaps of clusters an engine may hand over for indices that need the whole table.",
    ),
]
NearlyOption = Annotated[
    float, typer.Option(help="The F1 with its partner from which on a cluster is right; 1: exactly.")
]
ShareOption = Annotated[
    float, typer.Option(help="Two clusters are linked that share more than this of the smaller one.")
]
JudgeOption = Annotated[
    str | None, typer.Option("--reference", metavar="NAME", help="The partition that judges the others.")
]
NoiseOption = Annotated[
    str | None, typer.Option(metavar="LABEL", help="The label that means: in no cluster.")
]
NoiseAsOption = Annotated[conventions.NoiseAs | None, typer.Option(help="What to make of noise.")]
UndefinedOption = Annotated[
    conventions.Undefined,
    typer.Option(help="What to give where a formula is 0/0; identical partitions are always perfect."),
]

KeyOption = Annotated[Path, typer.Argument(metavar="KEY", help="The file with the true clusters.")]
ResponseOption = Annotated[
    Path, typer.Argument(metavar="RESPONSE", help="The file with the clusters to score.")
]
SingletonsOption = Annotated[
    Literal["keep", "remove"], typer.Option(help="What to do with clusters of one mention, on both sides.")
]
RepeatedOption = Annotated[
    Literal["error", "first"], typer.Option(help="What to do with a mention that stands twice on one side.")
]
DigitsOption = Annotated[
    Literal["rounded", "cut"],
    typer.Option(help="Percentages rounded to two digits, or cut off after two as the official scorer does."),
]
ResponseClustersOption = Annotated[
    str, typer.Option(metavar="NAME", help="What the response's clusters are called in JSON lines.")
]
DocumentsOption = Annotated[bool, typer.Option("--documents", help="Also the score of each document.")]

COREF = """Score coreference as the official scorer does.

\b
Reads CoNLL-2012 files, CoNLL-U with Entity (CorefUD), and JSON lines with clusters of spans.
Printed are recall, precision and F1 in per cent: MUC, B-cubed, CEAF-m, CEAF-e, BLANC, LEA, and CoNLL,
the mean F1 of MUC, B-cubed and CEAF-e.

\b
Examples:
  concordant coref key.conll response.conll
  concordant coref gold.conllu system.conllu --singletons remove --documents
  concordant coref gold.jsonl system.jsonl --response-clusters predicted_clusters --html errors.html
"""

# -- how sure it is ---------------------------------------------------------------------------------

ESTIMATE = """Estimate the quality of a whole clustering from a sample of true clusters.

\b
The sample holds every record of some true clusters, the candidate holds all records:
  concordant estimate sample.csv run.parquet --record id --cluster entity --drawn records --draws 400
  concordant estimate sample.csv run.csv --drawn clusters --population 5000 -i f_measure
  concordant estimate sample.csv run.csv --drawn records --times times

Clusters were drawn all alike, or records were drawn, each of which brought its whole cluster. Precision,
recall, F and B-cubed are best estimated from records. Files are read as by `concordant compare`; the sample
is the reference.
"""

SampleOption = Annotated[
    str, typer.Argument(metavar="SAMPLE", help="The labelled records and their true clusters.")
]
CompleteOption = Annotated[str, typer.Argument(metavar="CANDIDATE", help="The clustering of all records.")]
DrawnOption = Annotated[
    Literal["clusters", "records"], typer.Option(help="What was drawn at random to be labelled.")
]
DrawsOption = Annotated[
    int | None, typer.Option(metavar="NUMBER", help="How many records were drawn, those of one cluster too.")
]
TimesOption = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The sample's column of how often the record's cluster was drawn."),
]
WeightsOption = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The sample's column of what the record's cluster stands for."),
]
PopulationOption = Annotated[
    int | None, typer.Option(metavar="NUMBER", help="How many true clusters there are, where it is known.")
]
LevelOption = Annotated[
    float, typer.Option(metavar="SHARE", help="How often such an interval holds the true value.")
]

LossOption = Annotated[
    LossName, typer.Option(help="What to make small: a distance to the partitions, on average.")
]
PriceOption = Annotated[
    float,
    typer.Option(
        "--price",
        metavar="FROM 0 TO 2",
        help="For vi and binder: what separating costs, against 2 less that for joining.",
    ),
]
SearchesOption = Annotated[
    int,
    typer.Option("--runs", metavar="NUMBER", min=1, help="How many searches, where not all can be tried."),
]
SeedOption = Annotated[int, typer.Option(metavar="NUMBER", min=0, help="Of these searches.")]
SuggestIndexOption = Annotated[
    str, typer.Option("--index", "-i", metavar="NAME", help="The index to make better; bcubed_f if none.")
]
KindsOption = Annotated[
    list[str] | None,
    typer.Option("--kind", metavar="[merge|split|move]", help="Only edits of this kind; may be repeated."),
]
LargestOption = Annotated[int, typer.Option(metavar="NUMBER", min=0, help="How many edits to list.")]
StepsOption = Annotated[
    int,
    typer.Option(
        metavar="NUMBER", min=0, help="Make the best edit so many times, and list the edits that were made."
    ),
]

RANK = """Rank several systems against one truth, and test each against a baseline.

\b
Files of records and their clusters, joined by record:
  concordant rank truth.csv --system old=a.csv --system new=b.csv --baseline old
  concordant rank truth.csv --system old=a.csv --system new=b.csv -i f_measure -i adjusted_rand --json
Records that were drawn as whole documents; the truth has a column that names them:
  concordant rank truth.csv --system old=a.csv --system new=b.csv --record id --cluster entity --unit document

A difference is tested on the same records: both systems are left without the same record, or the same unit,
in turn. With --swaps the p-value is from swaps of whole units. Files are read as by `concordant matrix`.
"""

TruthOption = Annotated[str, typer.Argument(metavar="TRUTH", help="The file with the true clusters.")]
SystemsOption = Annotated[
    list[str],
    typer.Option("--system", metavar="NAME=FILE", help="A system and its clusters; given twice or more."),
]
BaselineOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="The system to test the others against; the first if none.")
]
SwapsOption = Annotated[
    int | None,
    typer.Option(metavar="NUMBER", help="With --unit: p-values from so many swaps of whole units."),
]
RankUnitOption = Annotated[
    str | None,
    typer.Option("--unit", metavar="COLUMN", help="The truth's column of units that were drawn as a whole."),
]

# -- what comes out ---------------------------------------------------------------------------------

IndicesOption = Annotated[
    list[str] | None,
    typer.Option("--index", "-i", metavar="NAME", help="Only this index; may be repeated."),
]
MatrixIndicesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--index",
        "-i",
        metavar="NAME",
        help="The index to compare by; may be repeated; adjusted_rand if none.",
    ),
]
SignificanceOption = Annotated[
    bool,
    typer.Option("--significance", help="Whether each index is more than chance brings, and its p-value."),
]
IntervalOption = Annotated[
    bool,
    typer.Option("--interval", help="How each index would vary, had other data been drawn: 95% intervals."),
]
UnitOption = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="With --interval: the reference's column of units (documents) that were drawn as a whole.",
    ),
]
WeightOption = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The reference's column of numbers: how much each record weighs."),
]
AsJsonOption = Annotated[bool, typer.Option("--json", help="JSON instead of a table, with all digits.")]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write there instead of printing; - prints."),
]
AllOption = Annotated[bool, typer.Option("--all", help="Every index by family, not only what matters most.")]
HtmlOption = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Also write a page with charts."),
]
RecordsOption = Annotated[
    str | None,
    typer.Option(
        "--records",
        metavar="FILE",
        help="With --html: a row for each record, named as by --record or else in the first column.",
    ),
]
ShowOption = Annotated[
    str | None,
    typer.Option("--show", metavar="A,B", help="With --records: its columns to show; all if not given."),
]
ImagesOption = Annotated[
    str | None,
    typer.Option("--images", metavar="COLUMN", help="With --records: a column of pictures, as data: text."),
]
FailUnderOption = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Exit with 1 if the index is smaller; may be repeated."),
]
FailOverOption = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Exit with 1 if the index is larger; may be repeated."),
]
