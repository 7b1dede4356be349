"""Compatibility with torchmetrics: the metrics of torchmetrics.clustering that compare two clusterings.

Names, arguments, ``update``, ``compute`` and ``reset`` are those of torchmetrics, which need not be
installed; PyTorch must be. The state is a contingency table instead of all labels, so it does not grow with
the number of records, and values are exact until the last division. Labels may be on the CPU or a GPU. If the
processes of ``torch.distributed`` count a part each, ``compute`` gives each process the value of all records.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal, Self, get_args

from concordant.comparisons.live import Live
from concordant.errors import InputError, MissingExtraError, NothingLeftError, ParameterError, kind_of
from concordant.indices.index import INDICES, Index

__all__ = [
    "AdjustedMutualInfoScore",
    "AdjustedRandScore",
    "CompletenessScore",
    "FowlkesMallowsIndex",
    "HomogeneityScore",
    "MutualInfoScore",
    "NormalizedMutualInfoScore",
    "RandScore",
    "VMeasureScore",
]

Average = Literal["min", "geometric", "arithmetic", "max"]


class BatchMetric:
    """A metric of predicted and true labels that arrive in batches.

    Examples
    --------
    >>> import torch  # doctest: +SKIP
    >>> metric = AdjustedRandScore()  # doctest: +SKIP
    >>> metric.update(torch.tensor([0, 0, 1, 1]), torch.tensor([5, 5, 7, 8]))  # doctest: +SKIP
    >>> metric.compute()  # doctest: +SKIP
    tensor(0.5714, dtype=torch.float64)
    """

    is_differentiable = False
    higher_is_better = True
    _index: Index
    _cells: Live
    _device: Any

    def __init__(self) -> None:
        self.reset()

    @property
    def _torch(self) -> Any:
        try:
            return import_module("torch")  # not kept, so a metric can be copied and pickled
        except ImportError as error:
            raise MissingExtraError(f"{type(self).__name__} needs PyTorch, which is not installed") from error

    def update(self, preds: Any, target: Any) -> None:
        """Count a batch.

        Parameters
        ----------
        preds, target : torch.Tensor
            The predicted and the true cluster of each record: integers, in one dimension.
        """
        for name, labels in (("preds", preds), ("target", target)):
            if not isinstance(labels, self._torch.Tensor):
                raise InputError(f"{name} is {kind_of(labels)}; pass a torch.Tensor")
            if labels.is_floating_point() or labels.is_complex():
                raise InputError(f"{name} has the type {labels.dtype}; cluster labels are integers")
        if preds.ndim != 1 or preds.shape != target.shape:
            shapes = f"{tuple(preds.shape)} and {tuple(target.shape)}"
            raise InputError(f"preds and target have the shapes {shapes}; pass one label for each record")
        self._cells.add(*(each.detach().cpu().numpy() for each in (target, preds)))
        self._device = preds.device

    def compute(self) -> Any:
        """Compute the value of all batches, of all processes.

        Returns
        -------
        torch.Tensor
            The value, in double precision, on the device of the last batch.
        """
        return self._tensor(self._everywhere())

    def forward(self, preds: Any, target: Any) -> Any:
        """Count a batch, and compute its own value.

        Parameters
        ----------
        preds, target : torch.Tensor
            As in `update`.

        Returns
        -------
        torch.Tensor
            The value of this batch alone.
        """
        cells, self._cells = self._cells, Live()
        try:
            self.update(preds, target)
        finally:
            batch, self._cells = self._cells, cells
        self._cells.extend(batch)
        return self._tensor(batch)

    __call__ = forward

    def reset(self) -> None:
        """Forget all batches."""
        self._cells = Live()
        self._device = self._torch.device("cpu")

    def merge_state(self, incoming_state: Self) -> None:
        """Add the batches of another metric of this kind.

        Parameters
        ----------
        incoming_state : metric
            The other metric, for instance of another process. It keeps its batches.
        """
        if type(incoming_state) is not type(self):
            raise ParameterError(
                f"merge {type(self).__name__} with its own kind, not {kind_of(incoming_state)}"
            )
        self._cells.extend(incoming_state._cells)

    def _everywhere(self) -> Live:
        """The cells of all processes."""
        distributed = self._torch.distributed
        if not (distributed.is_available() and distributed.is_initialized()):
            return self._cells
        held: list[Any] = [None] * distributed.get_world_size()
        distributed.all_gather_object(held, self._cells)
        whole = Live()
        for cells in held:
            whole.extend(cells)
        return whole

    def _tensor(self, cells: Live) -> Any:
        if not cells.size:
            raise NothingLeftError(f"{type(self).__name__} has no labels yet; call update() first")
        value = cells.compare()[self._index]
        return self._torch.tensor(value, dtype=self._torch.float64, device=self._device)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._cells.size} records>"


class RandScore(BatchMetric):
    """The Rand index."""

    _index = INDICES["rand"]


class AdjustedRandScore(BatchMetric):
    """The adjusted Rand index."""

    _index = INDICES["adjusted_rand"]


class FowlkesMallowsIndex(BatchMetric):
    """The Fowlkes-Mallows index."""

    _index = INDICES["fowlkes_mallows"]


class MutualInfoScore(BatchMetric):
    """The mutual information in nats."""

    _index = INDICES["mutual_information"]


class HomogeneityScore(BatchMetric):
    """Whether the records of each predicted cluster are of one true cluster."""

    _index = INDICES["homogeneity"]


class CompletenessScore(BatchMetric):
    """Whether the records of each true cluster are in one predicted cluster."""

    _index = INDICES["completeness"]


class VMeasureScore(BatchMetric):
    """The weighted harmonic mean of homogeneity and completeness.

    Parameters
    ----------
    beta : float, default=1.0
        The weight of completeness.
    """

    def __init__(self, beta: float = 1.0) -> None:
        super().__init__()
        self._index = INDICES["v_measure"].bind(beta=beta)


class NormalizedMutualInfoScore(BatchMetric):
    """The mutual information, divided by a mean of the two entropies.

    Parameters
    ----------
    average_method : {"arithmetic", "min", "geometric", "max"}, default="arithmetic"
        The mean.
    """

    def __init__(self, average_method: Average = "arithmetic") -> None:
        super().__init__()
        self._index = INDICES[f"nmi_{_checked(average_method)}"]


class AdjustedMutualInfoScore(BatchMetric):
    """The mutual information, adjusted for chance.

    Parameters
    ----------
    average_method : {"arithmetic", "min", "geometric", "max"}, default="arithmetic"
        The mean of the two entropies that normalises.
    """

    def __init__(self, average_method: Average = "arithmetic") -> None:
        super().__init__()
        self._index = INDICES["adjusted_mutual_information"].bind(mean=_checked(average_method))


def _checked(average_method: str) -> str:
    if average_method not in get_args(Average):
        raise ParameterError(
            f"use {', '.join(map(repr, get_args(Average)))}", given={"average_method": average_method}
        )
    return average_method
