# SPDX-License-Identifier: MIT
"""Skip GPU tests where there is no Hopper GPU; find the examples."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python" / "examples"))


def hopper_gpu() -> bool:
    """Whether torch sees a GPU of compute capability 9.0."""
    try:
        import torch
    except ImportError:
        return False
    return torch.cuda.is_available() and torch.cuda.get_device_capability()[0] == 9


def pytest_configure(config):
    config.addinivalue_line("markers", "gpu: needs a Hopper GPU and torch")


def pytest_collection_modifyitems(items):
    have_gpu = hopper_gpu()
    for item in items:
        if pathlib.Path(__file__).parent not in item.path.parents:
            continue
        item.add_marker(pytest.mark.gpu)
        if not have_gpu:
            item.add_marker(pytest.mark.skip(reason="needs a Hopper GPU and torch"))


@pytest.fixture
def torch():
    """torch, with a fixed seed and without TF32 in the references."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = False
    return torch
