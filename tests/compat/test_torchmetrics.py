"""concordant.compat.torchmetrics with PyTorch: batches, processes, and what is refused."""

import copy
import pickle
import random

import pytest

import concordant as cc
from concordant.compat import torchmetrics
from concordant.errors import InputError, NothingLeftError, ParameterError

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install torch")

INDICES = {
    "RandScore": "rand",
    "AdjustedRandScore": "adjusted_rand",
    "FowlkesMallowsIndex": "fowlkes_mallows",
    "MutualInfoScore": "mutual_information",
    "NormalizedMutualInfoScore": "nmi_arithmetic",
    "AdjustedMutualInfoScore": "adjusted_mutual_information",
    "HomogeneityScore": "homogeneity",
    "CompletenessScore": "completeness",
    "VMeasureScore": "v_measure",
}
WHERE = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


def batches(count=3, size=40):
    rng = random.Random(1)
    return [tuple(torch.tensor([rng.randrange(5) for _ in range(size)]) for _ in "pt") for _ in range(count)]


def test_every_metric_is_here():
    assert {*INDICES} == {*torchmetrics.__all__}


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("name", INDICES)
def test_batches_add_up(name, where):
    metric = getattr(torchmetrics, name)()
    preds, target = (torch.cat(each).tolist() for each in zip(*batches(), strict=True))
    for batch in batches():
        one = metric(*(labels.to(where) for labels in batch))
        assert one.item() == cc.compare(batch[1].tolist(), batch[0].tolist())[INDICES[name]]
    value = metric.compute()
    assert value.item() == cc.compare(target, preds)[INDICES[name]]
    assert value.device.type == where
    assert value.dtype == torch.float64
    metric.reset()
    with pytest.raises(NothingLeftError, match="call update"):
        metric.compute()


@pytest.mark.parametrize(
    ("metric", "index"),
    [
        (torchmetrics.VMeasureScore(beta=2), "v_measure(beta=2)"),
        (torchmetrics.NormalizedMutualInfoScore("max"), "nmi_max"),
        (torchmetrics.AdjustedMutualInfoScore("min"), "adjusted_mutual_information(mean='min')"),
    ],
)
def test_arguments(metric, index):
    metric.update(*batches()[0])
    preds, target = (each.tolist() for each in batches()[0])
    assert metric.compute().item() == cc.compare(target, preds)[index]


def test_states_of_processes_are_merged():
    first, second = torchmetrics.RandScore(), torchmetrics.RandScore()
    one, two, _ = batches()
    first.update(*one)
    second.update(*two)
    first.merge_state(second)
    preds, target = (torch.cat(each).tolist() for each in zip(one, two, strict=True))
    assert first.compute().item() == cc.rand(target, preds)
    with pytest.raises(ParameterError, match="its own kind"):
        first.merge_state(torchmetrics.AdjustedRandScore())


def test_metrics_can_be_copied_and_pickled():
    for metric in (torchmetrics.AdjustedRandScore(), torchmetrics.VMeasureScore(beta=2)):
        metric.update(*batches()[0])
        for same in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
            assert same.compute() == metric.compute()


def count_apart(rank, address, found):
    torch.distributed.init_process_group("gloo", init_method=address, rank=rank, world_size=2)
    metric = torchmetrics.AdjustedRandScore()
    metric.update(*batches()[rank])
    found[rank] = metric.compute().item()
    torch.distributed.destroy_process_group()


def test_processes_compute_the_value_of_all_records(tmp_path):
    context = torch.multiprocessing.get_context("spawn")
    with context.Manager() as manager:
        found = manager.dict()
        torch.multiprocessing.spawn(count_apart, (f"file://{tmp_path}/meet", found), nprocs=2)
        values = dict(found)
    preds, target = (torch.cat(each).tolist() for each in zip(*batches()[:2], strict=True))
    assert values == dict.fromkeys((0, 1), cc.adjusted_rand(target, preds))


@pytest.mark.parametrize(
    ("preds", "target", "message"),
    [
        ([0, 1], torch.tensor([0, 1]), "preds is a list"),
        (torch.tensor([0.0, 1.0]), torch.tensor([0, 1]), "labels are integers"),
        (torch.tensor([0, 1]), torch.tensor([0, 1, 1]), "one label for each record"),
        (torch.tensor([[0, 1]]), torch.tensor([[0, 1]]), "one label for each record"),
    ],
)
def test_what_are_no_labels_is_refused_and_changes_nothing(preds, target, message):
    metric = torchmetrics.RandScore()
    metric.update(*batches()[0])
    before = metric.compute()
    for method in (metric.update, metric.forward):
        with pytest.raises(InputError, match=message):
            method(preds, target)
    assert metric.compute() == before


def test_arguments_without_meaning_are_refused():
    with pytest.raises(ParameterError, match="average_method='mean'"):
        torchmetrics.NormalizedMutualInfoScore("mean")
    with pytest.raises(ParameterError, match="beta"):
        torchmetrics.VMeasureScore(beta=-1)
