# SPDX-License-Identifier: MIT
"""Global memory for kernels that need some: from torch, unless the user says whence."""

import contextlib
import contextvars
import subprocess
import sys
import types

import numpy as np
import pytest
import triton
from triton.runtime import _allocation

from tlx.backend import allocation
from tlx.errors import ResourceError, TLXError

CURRENT = 7


class _Torch(types.ModuleType):
    """The few functions of torch that are called, on arrays at odd addresses."""

    int8 = "int8"

    def __init__(self, has_gpu=True):
        super().__init__("torch")
        self.streams = [CURRENT]
        self.calls = []
        self.cuda = types.SimpleNamespace(
            is_available=lambda: has_gpu,
            current_stream=lambda: types.SimpleNamespace(cuda_stream=self.streams[-1]),
            ExternalStream=lambda handle: handle,
            stream=self._stream,
        )
        self.empty = self._empty

    @contextlib.contextmanager
    def _stream(self, handle):
        self.streams.append(handle)
        yield
        self.streams.pop()

    def _empty(self, size, dtype, device):
        self.calls.append((size, dtype, device, self.streams[-1]))
        return _Tensor(0x10001, size)


class _Tensor:
    def __init__(self, address, size):
        self.size = size
        self.data_ptr = lambda: address

    def __getitem__(self, part):
        assert 0 <= part.start <= part.stop <= self.size
        return _Tensor(self.data_ptr() + part.start, part.stop - part.start)


@pytest.fixture
def launch(monkeypatch):
    """Ask for memory as Triton's launcher does, in a context of its own."""
    allocation.install()

    def ask(torch, size=300, alignment=128, stream=CURRENT, user=None):
        monkeypatch.setitem(sys.modules, "torch", torch)

        def inside():
            if user is not None:
                triton.set_allocator(user)
            return _allocation._allocator.get()(size, alignment, stream)

        return contextvars.copy_context().run(inside)

    return ask


def test_memory_comes_from_torch(launch):
    torch = _Torch()
    buffer = launch(torch)
    assert buffer.data_ptr() % 128 == 0
    assert buffer.size == 300
    assert torch.calls == [(427, "int8", "cuda", CURRENT)]


@pytest.mark.parametrize(("stream", "wanted"), [(None, CURRENT), (9, 9), (0, 0)])
def test_memory_belongs_to_the_stream_of_the_launch(launch, stream, wanted):
    torch = _Torch()
    launch(torch, stream=stream)
    assert torch.calls[0][-1] == wanted
    assert torch.streams == [CURRENT]


def test_the_allocator_of_the_user_stays(launch):
    torch, mine = _Torch(), np.zeros(3)
    assert launch(torch, user=lambda size, alignment, stream: mine) is mine
    assert torch.calls == []


def test_an_allocator_that_is_taken_back_counts_as_none(launch):
    assert launch(_Torch(), user=_allocation.NullAllocator()).size == 300


@pytest.mark.parametrize("torch", [None, _Torch(has_gpu=False)])
def test_without_torch_the_error_says_what_to_call(launch, torch):
    with pytest.raises(ResourceError) as caught:
        launch(torch)
    assert isinstance(caught.value, TLXError)
    assert str(caught.value) == (
        "the kernel needs 300 bytes of global memory for tensor descriptors, and there "
        "is no torch to take them from; call triton.set_allocator(f), where f(size, "
        "alignment, stream) returns an object with data_ptr()"
    )


def test_profiling_is_not_switched_on(launch):
    assert not _allocation.has_profile_allocator()


KERNELS = """
import triton, tlx
import triton.language as tl

@triton.jit
def plain(x):
    tl.store(x, 1)

@triton.jit
def with_tlx(x):
    tl.store(x, tlx.thread_id(0))
"""
SCRIPT = """
import kernels
from triton.compiler import ASTSource
from triton.runtime._allocation import NullAllocator

before = NullAllocator.__call__
ASTSource(kernels.plain, {"x": "*i32"})
assert NullAllocator.__call__ is before
ASTSource(kernels.with_tlx, {"x": "*i32"})
assert NullAllocator.__call__ is not before
"""


def test_triton_is_left_alone_until_a_kernel_uses_tlx(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "script.py").write_text(SCRIPT)
    subprocess.run([sys.executable, str(tmp_path / "script.py")], check=True)
