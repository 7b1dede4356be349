"""Ten questions that newcomers of each field ask, and where the documentation answers them.

Each answer stands at most three links from the first page, by links in the text and not by those of the
sidebar, which has every page.
"""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
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
    asked, distance = FIELDS[field], clicks()
    assert len(asked) == 10
    for question, (page, words) in asked.items():
        assert words in " ".join((DOCS / page).read_text("utf-8").split()), question
        assert distance[DOCS / page] <= CLICKS, question


def test_every_page_is_linked_from_the_text():
    """Nobody has to know that it is there; decisions are linked from their own list."""
    pages = {page for page in DOCS.rglob("*.md") if page.parent.name != "decisions"}
    assert pages - clicks().keys() == set()
