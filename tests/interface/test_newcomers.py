"""Questions that newcomers of each field may ask, and where the documentation answers them.

Each answer is at most three links from the first page, by links in the text and not by those of the sidebar,
which has every page.
"""

import re
from functools import cache
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
CLICKS = 3

# question: the page that answers it, and words of the answer
FIELDS = {
    "clustering": {
        "How do I get the adjusted Rand index?": ("start.md", "`adjusted_rand` (ARI) is 1 for identical"),
        "My clusters have very different sizes: which index?": ("choosing.md", "**Very unequal sizes**"),
        "Which is adjusted_mutual_info_score?": ("migration-scikit-learn.md", "`average_method` is `mean`"),
        "HDBSCAN says -1?": ("faq.md", "so all noise forms one cluster. Pass `noise=-1`"),
        "Is a difference significant?": ("trust.md", "Is one system better than another?"),
        "Is 0.6 good?": ("faq.md", "No number is good by itself"),
        "Which clusters were split or merged?": ("tutorial-clustering.md", "Which clusters cause most of"),
        "How do I compare twenty seeds at once?": ("many.md", "m = cc.matrix(runs)"),
        "May labels be strings, or missing?": ("faq.md", "**And missing labels?** They raise an error"),
        "100 million rows: how long, how much memory?": ("scale.md", "| 100 million,"),
    },
    "entity resolution": {
        "I have links, not clusters?": ("faq.md", "**My matcher gives pairs, not clusters.**"),
        "What are pairwise precision and recall?": ("start.md", "the program put together belong together"),
        "And B-cubed?": ("tutorial-entity-resolution.md", "c.bcubed_precision"),
        "The truth covers a sample only?": ("trust.md", "cc.estimate(sample, candidate, sampling="),
        "Where do reviewers begin?": ("tutorial-entity-resolution.md", "a reviewer correct first?"),
        "Does it run on Spark?": ("spark.md", "Partition.from_frame(spark.table("),
        "Records in one file only?": ("sources.md", "records in one source only"),
        "How does a build fail?": ("command-line.md", "fails if a number is too small"),
        "The generalized merge distance?": ("indices/edit-distances.md", "generalised_merge_distance"),
        "Which threshold of match scores?": ("faq.md", "**Which threshold, resolution or number"),
    },
    "coreference": {
        "How do I get the CoNLL F1?": ("coreference.md", "CoNLL is the mean F1 of MUC, B-cubed and CEAF-e"),
        "Does it read CoNLL-2012?": ("coreference.md", "The command reads CoNLL-2012, CoNLL-U"),
        "Does it read CorefUD?": ("coreference.md", "CoNLL-U with `Entity` as in CorefUD"),
        "Are these the official scorer's numbers?": ("coreference.md", "`scorer.pl` 8.01 prints 540 values"),
        "What of singletons?": ("coreference.md", 'singletons="keep"'),
        "What is LEA?": ("choosing.md", "LEA weights each chain by its size"),
        "Mentions that only the response has?": ("coreference.md", "mentions on one side only"),
        "Many documents: sums or means?": ("coreference.md", "Counts are summed over documents"),
        "What is BLANC?": ("indices/entity-resolution-and-coreference.md", "that of non-coreferent"),
        "Do heads match?": ("coreference.md", "There is no partial matching and no head matching"),
    },
    "networks": {
        "Leiden against cell types?": (
            "tutorial-networks.md",
            'cc.compare(adata, columns=["cell_type", "leiden"])',
        ),
        "NMI by which mean?": ("choosing.md", "NMI divides the mutual information by the minimum, a mean"),
        "Communities that overlap?": ("overlaps.md", "a record may be in several clusters or in none"),
        "The communities of networkx?": ("start.md", "clusters, such as networkx communities"),
        "Which resolution?": ("tutorial-networks.md", "## Choose a resolution"),
        "A picture of what went where?": ("page.md", "follows the records from the reference on the left"),
        "Hierarchical clusterings?": ("faq.md", "**Can I compare hierarchical clusterings (dendrograms)?**"),
        "The variation of information?": ("indices/information-theory.md", "variation_of_information"),
        "Which cluster is which type?": ("differences.md", "`c.matching()` pairs clusters one to one"),
        "Cells that are unassigned?": ("faq.md", "or unassigned cells?**"),
    },
    "segmentation": {
        "How do I compare two volumes?": ("segmentation.md", "takes arrays of any number of dimensions"),
        "How do I ignore 0?": ("tutorial-segmentation.md", "## Ignore the background"),
        "The adapted Rand error of SNEMI3D?": ("segmentation.md", "adapted Rand error of CREMI and SNEMI3D"),
        "Splits and merges apart?": ("segmentation.md", "VI split and merge, in bits"),
        "Panoptic quality?": ("segmentation.md", "| PQ, SQ, RQ | `panoptic_quality`"),
        "The average precision of StarDist?": ("migration.md", "`matching.accuracy` | [`object_average"),
        "TIFF, Zarr, larger than memory?": ("segmentation.md", "**Image files**, such as TIFF"),
        "Which objects were merged?": ("tutorial-segmentation.md", "## Find merged cells"),
        "Does every object count the same?": ("segmentation.md", "each object counts once"),
        "What is adapted_rand_error of scikit-image?": ("migration.md", "[`adapted_rand_error_of_pairs`]"),
    },
}  # fmt: skip


def text_of(page):
    """Without the lists of pages that the sidebar shows."""
    return re.sub(r"```\{toctree\}.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)


@cache
def clicks():
    """How many links lead from the first page to each other page."""
    first = DOCS / "index.md"
    distance, edge = {first: 0}, [first]
    for page in edge:
        for link in re.findall(r"\]\(([\w/.-]+\.md)(?:#[\w-]+)?\)", text_of(page)):
            target = (page.parent / link).resolve()
            if DOCS in target.parents and target not in distance:
                distance[target] = distance[page] + 1
                edge.append(target)
    return distance


@pytest.mark.parametrize("field", FIELDS)
def test_a_newcomer_finds_an_answer_within_three_links(field):
    distance = clicks()
    for question, (page, words) in FIELDS[field].items():
        assert words in " ".join((DOCS / page).read_text("utf-8").split()), question
        assert distance[DOCS / page] <= CLICKS, question


def test_every_page_is_linked_from_the_text():
    """Nobody has to know that it is there; decisions are linked from their own list."""
    pages = {page for page in DOCS.rglob("*.md") if page.parent.name != "decisions"}
    assert pages - clicks().keys() == set()
