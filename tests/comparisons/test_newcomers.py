"""Questions that newcomers of each field may ask, and where the documentation answers them.

The first ten of each field were chosen by people who knew the pages, the others before any page was read;
where an answer was missing then, it was written. The last ten were looked for in a browser, on the site:
by the links of the front page, the sidebar and the search, and each was found in one to three clicks. That
every newcomer finds them is not shown by this: it keeps the answers where they are. Each stands at most three
links from the first page, by links in the text and not by those of the sidebar, which has every page.
"""

import re
from functools import cache
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
CLICKS = 3

# question: the page that answers it, and words of the answer
CLUSTERING = {
    "Which index should I report?": ("choosing.md", "If you read no further"),
    "Why is my NMI so high on random labels?": ("choosing.md", "climbs with the number of clusters"),
    "What about the noise of DBSCAN?": ("faq.md", 'noise_as="singletons"'),
    "Is an adjusted Rand index of 0.3 more than chance?": ("trust.md", "Is it more than chance?"),
    "Is one algorithm better than another?": ("trust.md", "Is one system better than another?"),
    "Which clusters did k-means mix up?": ("tutorial-clustering.md", "Which?"),
    "How do I compare runs with many numbers of clusters?": ("many.md", "all against all"),
    "Do the names of the clusters have to match?": ("faq.md", "Do the labels have to match?"),
    "Can GridSearchCV use it?": ("faq.md", "GridSearchCV("),
    "Why does scikit-learn give another value?": ("migration-scikit-learn.md", "wrong there"),
}
ENTITIES = {
    "Pairs or B-cubed?": ("tutorial-entity-resolution.md", "Pairs and records: two ways to count"),
    "Some records are in one file only?": ("sources.md", "records in one source only"),
    "Only a sample was labelled: how good is the whole?": ("trust.md", "cc.estimate(sample, candidate"),
    "How many should I label?": ("trust.md", "How many to label?"),
    "Does it take 100 million records?": ("scale.md", "| 100 million,"),
    "How do I hand over what Splink found?": ("recipes.md", "cluster_pairwise_predictions_at_threshold"),
    "My matcher gives pairs, not clusters?": ("faq.md", "My matcher gives pairs"),
    "What should be reviewed first?": ("tutorial-entity-resolution.md", "correct first?"),
    "How do I stop a build when quality falls?": ("command-line.md", "--fail-under"),
    "What did the new rule break?": ("many.md", "what a new candidate fixed and what it broke"),
}
COREFERENCE = {
    "Where is the CoNLL score?": ("coreference.md", "CoNLL is the mean F1 of MUC, B-cubed and CEAF-e"),
    "Are these the numbers of scorer.pl?": ("coreference.md", "official scorer and CoVal are tested with"),
    "Do singletons count?": ("coreference.md", 'singletons="keep"'),
    "What of mentions that one side lacks?": ("coreference.md", "mentions on one side only"),
    "Which files are read?": ("coreference.md", "CoNLL-U with `Entity`"),
    "What is the score of each document?": ("coreference.md", "result.documents"),
    "Which BLANC is it?": ("coreference.md", "BLANC where the key has links of one kind"),
    "Is my system better, by documents?": ("trust.md", 'method="swaps"'),
    "What is it called in CoVal?": ("coreference.md", "evaluator.evaluate_documents"),
    "Can I see the errors among their words?": ("tutorial-coreference.md", "every mention among its words"),
}
NETWORKS = {
    "Communities that share members?": ("overlaps.md", "In a **cover** an element may lie in several"),
    "Which ONMI is which?": ("overlaps.md", "Who means what by ONMI"),
    "Which resolution of Leiden?": ("tutorial-networks.md", "choose a resolution"),
    "Does it take AnnData?": ("many.md", "AnnData keeps clusterings"),
    "Which of thirty seeds is right?": ("many.md", "The consensus of many runs"),
    "Which nodes are placed differently?": ("tutorial-networks.md", "asked who is wrong"),
    "Does it take the clusterings of igraph?": ("start.md", "igraph's clusterings"),
    "What of nodes in no community?": ("overlaps.md", "Name the set where some elements lie in no cluster"),
    "What is better than NMI?": ("choosing.md", "the custom of the field, grows"),
    "How do I follow communities over time?": ("many.md", "follows clusters from each partition"),
}
SEGMENTATION = {
    "What happens with background 0?": ("tutorial-segmentation.md", "What is the background?"),
    "Volumes larger than memory?": ("segmentation.md", "Volumes in chunks"),
    "Is it the adapted Rand error of scikit-image?": ("segmentation.md", "error, of scikit-image"),
    "Panoptic quality and average precision?": ("segmentation.md", "panoptic_quality"),
    "Was it split or merged?": ("segmentation.md", "VI split and merge"),
    "My labels are on a GPU?": ("gpu.md", "Labels that lie on a GPU"),
    "There are several annotators?": ("segmentation.md", "Several truths"),
    "Is there a distance of boundaries?": ("faq.md", "measure of boundaries"),
    "Can I see the worst cells?": ("segmentation.md", "cropped from both images"),
    "Can a job array share the work?": ("segmentation.md", "A job array counts a volume in parts"),
}  # fmt: skip
# Ten more of each field, which were written down before their author had read a page of the documentation.
UNSEEN = {
    "clustering": {
        "The truth has 10 clusters, mine 8?": ("choosing.md", "Different numbers of clusters"),
        "What is a good value?": ("faq.md", "What is a good value?"),
        "Does the numbering of labels matter?": ("faq.md", "Only who is together with whom counts"),
        "DBSCAN says -1: what happens to these points?": ("faq.md", "such as -1 of DBSCAN"),
        "What is scikit-learn's AMI here?": ("migration-scikit-learn.md", "`adjusted_mutual_info_score`"),
        "Why does NMI differ between libraries?": ("choosing.md", "NMI is a family, too"),
        "Which of my clusters went wrong?": ("tutorial-clustering.md", "three are to blame"),
        "How stable are 20 runs, and can one stand for all?": ("many.md", "says how stable each record is"),
        "Can a value be negative?": ("faq.md", "My value is negative"),
        "How do I weight points?": ("trust.md", "says how much each element counts"),
    },
    "entity resolution": {
        "My files have their ids in different orders?": ("sources.md", "Two dataframes"),
        "How long do 100 million rows take?": ("scale.md", '100 million, `memory="1GB"`'),
        "Precision of pairs or B-cubed?": ("tutorial-entity-resolution.md", "Report both"),
        "Some records are in one file only?": ("faq.md", "The two sides have different records"),
        "I labelled a sample only?": ("tutorial-entity-resolution.md", "the truth is known for a few only"),
        "Which records were wrongly merged?": ("tutorial-entity-resolution.md", "One wrong cluster"),
        "How do I fail my CI?": ("tutorial-entity-resolution.md", "A gate for the next run"),
        "I have links of Splink, and no clusters?": ("faq.md", "My matcher gives pairs, not clusters"),
        "Spark, without collecting to the driver?": ("spark.md", "only the profile comes to the driver"),
        "Is run B better than run A, or is it luck?": ("trust.md", "Is one system better than another?"),
    },
    "coreference": {
        "CoNLL F1 of two files?": ("coreference.md", "concordant coref key.conll response.conll"),
        "To which digit is it the official scorer's?": ("coreference.md", "540 values digit by digit"),
        "Mentions that only the system found?": ("coreference.md", "mentions on one side only"),
        "Are singletons dropped?": ("coreference.md", "--singletons remove"),
        "Heads and zeros of CorefUD?": ("coreference.md", "no match by heads"),
        "What is LEA?": ("choosing.md", "LEA weighs each chain by its size"),
        "Sum over documents, or mean?": ("coreference.md", "Counts are summed over documents"),
        "Where did my system split an entity?": ("tutorial-coreference.md", "What went wrong?"),
        "Significance over documents?": ("trust.md", "Documents, households, users"),
        "How fast is it against others?": ("performance-covers.md", "| scorch |"),
    },
    "networks": {
        "Leiden at two resolutions?": ("tutorial-networks.md", "How fine should the communities be?"),
        "Two columns of AnnData?": ("tutorial-networks.md", 'cc.compare(adata, "cell_type", "leiden")'),
        "ONMI and omega?": ("overlaps.md", "`onmi_max`, `onmi_mean`"),
        "What is element-centric similarity?": ("tutorial-networks.md", "is a mean over the members"),
        "Sets of nodes by networkx?": ("overlaps.md", "the frozensets of networkx"),
        "Communities over time?": ("many.md", "Partitions in order"),
        "A tree of resolutions, as clustree's?": ("tutorial-networks.md", "draw the tree of resolutions"),
        "Cell types on several levels?": ("faq.md", "cell types on several levels"),
        "Which index minds rare types?": ("choosing.md", "Very unequal sizes"),
        "Consensus of Leiden runs?": ("tutorial-networks.md", "agree on one of many seeds"),
    },
    "segmentation": {
        "Two label images?": ("segmentation.md", "arrays of any number of dimensions"),
        "How do I ignore background 0?": ("tutorial-segmentation.md", "What is the background?"),
        "VI split and merge?": ("segmentation.md", "VI split and merge"),
        "Adapted Rand error of SNEMI3D and CREMI?": ("segmentation.md", "of CREMI and SNEMI3D"),
        "AP at IoU 0.5, as StarDist's?": ("segmentation.md", "object_average_precision(iou="),
        "Zarr larger than memory?": ("tutorial-segmentation.md", "Larger than memory"),
        "Panoptic quality?": ("tutorial-segmentation.md", "panoptic_quality"),
        "Which objects were merged?": ("tutorial-segmentation.md", "Which cells?"),
        "Labels of CuPy or PyTorch?": ("gpu.md", "Arrays of CuPy, PyTorch and JAX"),
        "Is VI in bits or nats?": ("segmentation.md", "is in bits, as two numbers"),
    },
}  # fmt: skip
# Ten more of each field, also written down beforehand, and then looked for by clicking through the site.
CLICKED = {
    "clustering": {
        "How do I get the adjusted Rand index?": ("start.md", "`adjusted_rand` is 1 for the same clusters"),
        "My clusters have very different sizes: which index?": ("choosing.md", "**Very unequal sizes**"),
        "Which is adjusted_mutual_info_score?": ("migration-scikit-learn.md", "`average_method` is `mean`"),
        "HDBSCAN says -1?": ("faq.md", "It is a cluster like any other until you say `noise=-1`"),
        "Is a difference significant?": ("trust.md", "Is one system better than another?"),
        "Is 0.6 good?": ("faq.md", "No number is good by itself"),
        "Which clusters were split or merged?": ("tutorial-clustering.md", "three are to blame"),
        "How do I compare twenty seeds at once?": ("many.md", "m = cc.matrix(runs)"),
        "May labels be strings, or missing?": ("faq.md", "**And with missing labels?** They are an error"),
        "100 million rows: how long, how much memory?": ("scale.md", "| 100 million,"),
    },
    "entity resolution": {
        "I have links, not clusters?": ("faq.md", "**My matcher gives pairs, not clusters.**"),
        "What are pairwise precision and recall?": ("start.md", "how many of the pairs put together"),
        "And B-cubed?": ("tutorial-entity-resolution.md", "c.bcubed_precision"),
        "The truth covers a sample only?": ("trust.md", "cc.estimate(sample, candidate, sampling="),
        "Where do reviewers begin?": ("tutorial-entity-resolution.md", "a reviewer correct first?"),
        "Does it run on Spark?": ("spark.md", "Partition.from_frame(spark.table("),
        "Records in one file only?": ("sources.md", "records in one source only"),
        "How does a build fail?": ("command-line.md", "`--fail-under` makes a gate of a similarity"),
        "The generalized merge distance?": ("indices/edits-and-lattice.md", "generalised_merge_distance"),
        "Which threshold of match scores?": ("faq.md", "**Which threshold of match scores"),
    },
    "coreference": {
        "How do I get the CoNLL F1?": ("coreference.md", "CoNLL is the mean F1 of MUC, B-cubed and CEAF-e"),
        "Does it read CoNLL-2012?": ("coreference.md", "Read are CoNLL-2012 files"),
        "Does it read CorefUD?": ("coreference.md", "CoNLL-U with `Entity` as in CorefUD"),
        "Are these the official scorer's numbers?": ("coreference.md", "540 values digit by digit"),
        "What of singletons?": ("coreference.md", 'singletons="keep"'),
        "What is LEA?": ("choosing.md", "LEA weighs each chain by its size"),
        "Mentions that only the response has?": ("coreference.md", "mentions on one side only"),
        "Many documents: sums or means?": ("coreference.md", "Counts are summed over documents"),
        "What is BLANC?": ("indices/entity-resolution-and-coreference.md", "and non-coreferent links"),
        "Do heads match?": ("coreference.md", "there is no partial match and no match by heads"),
    },
    "networks": {
        "Leiden against cell types?": ("tutorial-networks.md", 'cc.compare(adata, "cell_type", "leiden")'),
        "NMI by which mean?": ("choosing.md", "By which mean of the entropies?"),
        "Communities that overlap?": ("overlaps.md", "In a **cover** an element may lie in several"),
        "The communities of networkx?": ("start.md", "as networkx gives its communities"),
        "Which resolution?": ("tutorial-networks.md", "How fine should the communities be?"),
        "A picture of what went where?": ("page.md", "follows the records from the reference on the left"),
        "Hierarchical clusterings?": ("faq.md", "**Can hierarchical clusterings (dendrograms) be compared"),
        "The variation of information?": ("indices/information-theory.md", "variation_of_information"),
        "Which cluster is which type?": ("differences.md", "`c.matching()` pairs clusters one to one"),
        "Cells that are unassigned?": ("faq.md", "or with cells that are unassigned?**"),
    },
    "segmentation": {
        "How do I compare two volumes?": ("segmentation.md", "takes arrays of any number of dimensions"),
        "How do I ignore 0?": ("tutorial-segmentation.md", "What is the background?"),
        "The adapted Rand error of SNEMI3D?": ("segmentation.md", "adapted Rand error of CREMI and SNEMI3D"),
        "Splits and merges apart?": ("segmentation.md", "VI split and merge, in bits"),
        "Panoptic quality?": ("segmentation.md", "| PQ, SQ, RQ | `panoptic_quality`"),
        "The average precision of StarDist?": ("migration.md", "`matching.accuracy` | [`object_average"),
        "TIFF, Zarr, larger than memory?": ("segmentation.md", "**Files of images**, such as TIFF"),
        "Which objects were merged?": ("tutorial-segmentation.md", "Which cells?"),
        "Does every object count the same?": ("segmentation.md", "each object counts once"),
        "What is adapted_rand_error of scikit-image?": ("migration.md", "[`adapted_rand_error_of_pairs`]"),
    },
}  # fmt: skip
FIELDS = {
    "clustering": CLUSTERING,
    "entity resolution": ENTITIES,
    "coreference": COREFERENCE,
    "networks": NETWORKS,
    "segmentation": SEGMENTATION,
}


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
@pytest.mark.parametrize("fields", [FIELDS, UNSEEN, CLICKED], ids=["known", "unseen", "clicked"])
def test_a_newcomer_finds_an_answer_within_three_links(fields, field):
    asked, distance = fields[field], clicks()
    assert len(asked) == 10
    for question, (page, words) in asked.items():
        assert words in " ".join((DOCS / page).read_text("utf-8").split()), question
        assert distance[DOCS / page] <= CLICKS, question


def test_every_page_is_linked_from_the_text():
    """Nobody has to know that it is there; decisions are linked from their own list."""
    pages = {page for page in DOCS.rglob("*.md") if page.parent.name != "decisions"}
    assert pages - clicks().keys() == set()
