"""The partition of labels in memory: nulls, noise and names of elements."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from concordant.counts.conventions import (
    Conventions,
    NoiseAs,
    check_noise,
)
from concordant.counts.remedies import FOR_NULLS
from concordant.errors import LabelError
from concordant.partitions.clusters import (
    identify_named,
)
from concordant.partitions.labels import (
    Labels,
    by_position,
    code_of,
    coordinates_of,
    encode,
    equal_to,
    warn_if_continuous,
)
from concordant.partitions.missing import (
    Noise,
    as_column,
    count_code,
    null_labels,
    refuse_other_type,
    set_apart,
    without,
)
from concordant.partitions.partition import LabelPartition


def partition_of_labels(
    values: Any,
    conventions: Conventions,
    what: str,
    elements: list[Any] | None = None,
    check: Callable[[Labels], None] | None = None,
) -> LabelPartition:
    """The partition of labels of any kind, some of which may be null; ``check`` may refuse other labels.

    ``elements`` are the names of the elements, if these align by name.
    """
    nulls, null, noise = conventions.nulls or "error", None, (conventions.noise, conventions.noise_as)
    if nulls != "error":
        values = as_column(values)
        null = null_labels(values)
    names: Any = elements
    if null is not None and null.ndim > 1:
        image = np.asarray(values)
        names = coordinates_of(image)
        values, null = names.flat(image), names.flat(null)
    try:
        labels = encode(values if null is None else without(values, null), what, conventions.threads)
    except LabelError as error:
        if error.missing_at is not None and nulls == "error" and conventions.takes_nulls:
            error.remedies = FOR_NULLS
        raise
    warn_if_continuous(labels, what)
    if check is not None:
        check(labels)
    if null is None:
        found = label_partition(labels, *noise, what, elements)
        found.nulls = nulls
        return found
    rest = label_partition(labels, *noise, what)
    if elements is not None:
        identify_named(elements, what)
    elif labels.keys is not None:
        names = values.index
    codes = np.zeros(len(null), dtype=rest.codes.dtype)
    codes[~null] = rest.codes
    dropped = null.copy() if nulls == "drop" else None
    if rest.dropped is not None:
        dropped = np.zeros(len(null), dtype=bool) if dropped is None else dropped
        dropped[~null] |= rest.dropped
    alone = rest.alone
    if nulls == "singletons":
        codes, alone = set_apart(codes, null), (*alone, None)
    return LabelPartition(
        codes,
        by_position(values),
        elements=names,
        named=elements is not None,
        dropped=dropped,
        noise=rest.noise,
        alone=alone,
        nulls=nulls,
        null=null,
    )


def label_partition(
    labels: Labels,
    noise: Any,
    noise_as: NoiseAs | None,
    what: str,
    elements: list[Any] | None = None,
) -> LabelPartition:
    """The partition of encoded labels; ``elements`` are the names of the elements, if these decide."""
    named = elements is not None
    if elements is not None:
        identify_named(elements, what)
    else:
        elements = labels.keys
    if noise is None and noise_as is None:
        codes, first = labels.codes, labels.first
        return LabelPartition(codes, labels.originals, elements=elements, named=named, first=first)
    treatment = check_noise(noise, noise_as)
    assert treatment is not None  # since one of the two was given
    code = None if treatment == "singletons" else code_of(labels, noise)
    if code is not None:
        return LabelPartition(
            labels.codes,
            labels.originals,
            elements=elements,
            named=named,
            dropped_code=code if treatment == "drop" else None,
            noise=Noise(noise, treatment, partial(count_code, labels.codes, code)),
            first=labels.first,
        )
    is_noise = equal_to(labels, noise)
    number = int(np.count_nonzero(is_noise))
    if not number:
        refuse_other_type(labels, noise, what)
    return LabelPartition(
        set_apart(labels.codes, is_noise) if treatment == "singletons" else labels.codes,
        labels.originals,
        elements=elements,
        named=named,
        dropped=is_noise if treatment == "drop" else None,
        noise=Noise(noise, treatment, number),
        alone=(noise,) if treatment == "singletons" and number else (),
    )
