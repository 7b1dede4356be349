"""Hypothesis strategies for labels and partitions."""

from hypothesis import strategies as st


def label_lists(max_size=60, max_clusters=12):
    return st.lists(st.integers(0, max_clusters - 1), max_size=max_size)


@st.composite
def two_partitions(draw, max_size=60, max_clusters=12):
    """Two label lists of one length."""
    size = draw(st.integers(0, max_size))
    labels = st.lists(st.integers(0, max_clusters - 1), min_size=size, max_size=size)
    return draw(labels), draw(labels)
