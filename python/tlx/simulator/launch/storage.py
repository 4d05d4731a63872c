# SPDX-License-Identifier: MIT
"""Arrays as kernels see them: an address, an element type, and bytes around it.

A kernel gets the address of an array's first element, and computes all others. So what
is mapped is the whole storage behind an array, of which it may be a part: another
view, a transpose, every second row.
"""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from tlx.errors import ArgumentError
from tlx.simulator.launch.dtypes import BY_TRITON_NAME, triton_name
from tlx.simulator.machine.global_memory import GlobalMemory

Array = np.ndarray[Any, Any]


@dataclasses.dataclass(frozen=True)
class Storage:
    """Bytes of the user's that an array lies in.

    Attributes:
        start: Address of the first byte in this process.
        size: Bytes.
        is_writable: Whether kernels may store to it.
        owner: Keeps the bytes alive.
    """

    start: int
    size: int
    is_writable: bool
    owner: Any

    @property
    def end(self) -> int:
        """Address behind the last byte."""
        return self.start + self.size

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return {
            "data": (self.start, not self.is_writable),
            "shape": (self.size,),
            "typestr": "|u1",
            "version": 3,
        }


@dataclasses.dataclass
class Pointer:
    """An array as an argument, in place of the user's.

    Attributes:
        parameter: Which parameter it is for.
        dtype: Triton's name of the element type.
        host_address: First element in this process.
        storage: The bytes it lies in.
        address: First element in the simulated memory, once it is mapped.
    """

    parameter: str
    dtype: str
    host_address: int
    storage: Storage
    address: int = 0

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return BY_TRITON_NAME[self.dtype].itemsize

    def data_ptr(self) -> int:
        """Returns the address, by which Triton judges the alignment."""
        return self.address


def _bounds(array: Array) -> tuple[int, int]:
    """Returns the addresses of the first byte and behind the last one."""
    start = end = array.__array_interface__["data"][0]
    if array.size == 0:
        return start, start
    for extent, stride in zip(array.shape, array.strides, strict=True):
        if stride < 0:
            start += (extent - 1) * stride
        else:
            end += (extent - 1) * stride
    return start, end + array.itemsize


def _of_numpy(parameter: str, array: Array) -> Pointer:
    root = array
    while isinstance(root.base, np.ndarray):
        root = root.base
    (start, end), (first, last) = _bounds(root), _bounds(array)
    start, end = min(start, first), max(end, last)
    return Pointer(
        parameter,
        triton_name(parameter, array.dtype),
        array.__array_interface__["data"][0],
        Storage(start, end - start, array.flags.writeable, array),
    )


def _of_torch(parameter: str, tensor: Any) -> Pointer:
    if tensor.device.type != "cpu":
        raise ArgumentError(
            f"expects '{parameter}' to be on the CPU when it is simulated, but got a "
            f"tensor on {tensor.device}; x.cpu() is"
        )
    storage = tensor.untyped_storage()
    return Pointer(
        parameter,
        triton_name(parameter, tensor.dtype),
        tensor.data_ptr(),
        Storage(storage.data_ptr(), storage.nbytes(), True, tensor),
    )


def pointer_to(parameter: str, value: object) -> Pointer | None:
    """Returns an array as an argument, or None if the value is no array.

    Args:
        parameter: Which parameter it is for.
        value: A NumPy array or a torch tensor.

    Raises:
        ArgumentError: A tensor is not in the memory of the CPU.
        DTypeError: Kernels do not have the element type.
    """
    if isinstance(value, np.ndarray):
        return _of_numpy(parameter, value)
    # A tensor exists only where torch was imported.
    torch: Any = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return _of_torch(parameter, value)
    return None


def _groups(pointers: Sequence[Pointer]) -> list[list[Pointer]]:
    """Returns the pointers, together where their storages have bytes in common.

    Groups and their members are in the order of the parameters: where arrays happen to
    lie in this process must not change a run.
    """
    order = {id(pointer): place for place, pointer in enumerate(pointers)}
    groups: list[list[Pointer]] = []
    end = -1
    for pointer in sorted(pointers, key=lambda p: (p.storage.start, p.storage.end)):
        if pointer.storage.start < end:
            groups[-1].append(pointer)
        else:
            groups.append([pointer])
        end = max(end, pointer.storage.end)
    for group in groups:
        group.sort(key=lambda p: order[id(p)])
    return sorted(groups, key=lambda group: order[id(group[0])])


def map_all(pointers: Sequence[Pointer], memory: GlobalMemory) -> None:
    """Maps what pointers point to, and sets their addresses."""
    for group in _groups(pointers):
        start = min(p.storage.start for p in group)
        end = max(p.storage.end for p in group)
        writable = any(p.storage.is_writable for p in group)
        whole = Storage(start, end - start, writable, group)
        # The largest pieces that no element of an argument lies across.
        distances = (d for p in group for d in (p.itemsize, p.host_address - start))
        granule = math.gcd(8, whole.size, *distances)
        name = "/".join(dict.fromkeys(p.parameter for p in group))
        base = memory.map(name, np.asarray(whole).view(np.dtype(f"u{granule}")))
        for pointer in group:
            pointer.address = base + pointer.host_address - start
