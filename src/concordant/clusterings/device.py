"""CuPy, and the errors of a device: arrays are borrowed here, and errors become our own.

CuPy is imported here and nowhere else.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from concordant.clusterings.partition_data import DevicePartition
from concordant.counts.spelling import counted
from concordant.errors import ConcordantError, InputError, LabelError, MissingExtraError, TooLargeError

DeviceArray = Any  # of CuPy

_ON_DEVICE = (2, 3)  # how the runtime numbers device memory and managed memory

# Errors of other libraries that cannot export an array.
_NOT_HANDED_OVER = (AttributeError, BufferError, NotImplementedError, RuntimeError, TypeError, ValueError)

_TO_THE_HOST = "copy the labels of both sides to the host"


def imported() -> Any:
    """CuPy; an error that names the extra where it is not installed."""
    try:
        import cupy
    except ImportError:
        raise MissingExtraError(
            "counting labels on a GPU needs CuPy, which is not installed; run: pip install 'concordant[gpu]' "
            f"(or 'concordant[gpu-cuda12]' for a CUDA 12 driver), or {_TO_THE_HOST}"
        ) from None
    return cupy


@contextmanager
def explained(cupy: Any) -> Iterator[None]:
    """Errors of the device as our own errors."""
    try:
        yield
    except ConcordantError:
        raise
    except MemoryError as error:  # of CuPy, whose error is one
        raise TooLargeError(
            f"the GPU does not have enough memory to count these labels ({error}); free some memory, "
            f"pass narrower integers, or {_TO_THE_HOST}"
        ) from error
    except (cupy.cuda.runtime.CUDARuntimeError, cupy.cuda.driver.CUDADriverError) as error:
        raise InputError(
            f"the GPU could not count these labels: {error}; was an array freed, or its memory reused? "
            "You may have to restart the process"
        ) from error


class _Handle:
    """A stream of another library, by the protocol of CUDA streams."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self._handle


def stream_of(cupy: Any, array: Any) -> Any:
    """The stream that the caller works on: PyTorch's for its tensors, else CuPy's."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        handle = torch.cuda.current_stream(array.device).cuda_stream
        return cupy.cuda.Stream.from_external(_Handle(handle)) if handle else cupy.cuda.Stream.null
    return cupy.cuda.get_current_stream()


@contextmanager
def on_stream_of(cupy: Any, reference: Any, candidate: Any) -> Iterator[None]:
    """Work on the stream of the reference, after all that was begun on that of the candidate."""
    own, other = stream_of(cupy, reference), stream_of(cupy, candidate)
    with own:
        if other.ptr != own.ptr:
            own.wait_event(other.record())
        yield


def device_of(cupy: Any, array: Any) -> int:
    """The number of the GPU of an array."""
    if isinstance(array, cupy.ndarray):
        return int(array.device.id)
    if hasattr(array, "__dlpack_device__"):
        return int(array.__dlpack_device__()[1])
    if hasattr(array, "__cuda_array_interface__") and not _is_column(array):
        place = array.__cuda_array_interface__["data"][0]
        return int(cupy.cuda.runtime.pointerGetAttributes(place).device) if place else 0
    return int(cupy.cuda.runtime.getDevice())  # where cuDF keeps its columns


def borrowed(cupy: Any, partition: DevicePartition) -> tuple[DeviceArray, bool, Any]:
    """The labels as an array of CuPy on the same memory, whether they are booleans, and names of codes."""
    array, names = partition.array, None
    if _is_column(array):
        array, names = _codes_of_column(array, partition.what)
    labels = handed_over(cupy, array, partition.what)
    _check(labels, partition.what)
    is_bool = labels.dtype.kind == "b"
    return (labels.view(cupy.uint8) if is_bool else labels), is_bool, names


def handed_over(cupy: Any, array: Any, what: str) -> DeviceArray:
    """An array of any library as one of CuPy on the same memory, which is that of a GPU."""
    try:
        if isinstance(array, cupy.ndarray):
            found = array
        elif hasattr(array, "__dlpack__"):  # also waits for pending writes
            found = cupy.from_dlpack(array)
        else:
            found = cupy.asarray(array)
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise InputError(f"{what}: this array cannot be read on its GPU: {error}") from error
    except _NOT_HANDED_OVER as error:
        raise LabelError(f"{what}: this array cannot be read on its GPU: {error}") from error
    if found.size:
        _check_memory(cupy, found, what)
    return found


def _is_column(array: Any) -> bool:
    """Whether this is a column of cuDF, which may hold text and nulls."""
    return type(array).__module__.partition(".")[0] == "cudf"


def _codes_of_column(column: Any, what: str) -> tuple[Any, Any]:
    """A column of cuDF: numbers as they are, categories by their codes, text and dates by codes made here."""
    if column.null_count:
        raise LabelError(
            f"{what}: {counted(int(column.null_count), 'label', 'are')} missing (null); drop such records, "
            "or give them a label of their own"
        )
    if hasattr(column.dtype, "categories"):
        return column.cat.codes.values, column.cat.categories.to_pandas()
    if getattr(column.dtype, "kind", "O") in "iubf":
        return column.values, None
    codes, distinct = column.factorize()
    return codes, distinct.to_pandas()


def _check(labels: DeviceArray, what: str) -> None:
    if labels.dtype.kind not in "iub":
        raise LabelError(
            f"{what}: labels on a GPU are integers or booleans, not {labels.dtype}; convert them to "
            "integers there, or copy the labels to the host, which supports all types"
        )
    if labels.ndim == 0:
        raise LabelError(f"{what}: this is a single value; pass one label per record")


def _check_memory(cupy: Any, labels: DeviceArray, what: str) -> None:
    """Refuse memory that is not that of a GPU."""
    reach = sum(max(0, (n - 1) * stride) for n, stride in zip(labels.shape, labels.strides, strict=True))
    for place in (labels.data.ptr, labels.data.ptr + reach):
        if cupy.cuda.runtime.pointerGetAttributes(place).type not in _ON_DEVICE:
            raise LabelError(
                f"{what}: the array claims to be on a GPU, but its memory is not; it was freed, or it is "
                "shorter than declared"
            )


def changed() -> InputError:
    """The error for labels that changed during the count."""
    return InputError(
        "the labels on the GPU changed while they were counted; wait until all writes to them have finished"
    )
