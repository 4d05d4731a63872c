# SPDX-License-Identifier: MIT
"""What a test of a feature of the language is: a launch and its numbers in NumPy.

Tests on a GPU and tests in the simulator run the same cases.
"""

import dataclasses
import zlib
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

__all__ = ["Case", "from_torch", "poison", "random", "to_torch"]


@dataclasses.dataclass
class Case:
    """A launch of kernels and what it computes.

    Attributes:
        launch: takes tensors, and returns one tensor or several.
        reference: takes NumPy arrays, and returns the arrays to expect.
        inputs: makes the arrays from a seed; memory for results is among them.
        simulated: whether the simulator has all that the kernel uses.
        atol: largest difference; 0 for copies.
    """

    launch: Callable[..., Any]
    reference: Callable[..., Any]
    inputs: Callable[[int], list[np.ndarray]]
    simulated: bool = True
    atol: float = 0.0

    def check(self, results: Any, inputs: list[np.ndarray]) -> None:
        """Compare results, as arrays, with the reference of the inputs."""
        wanted = self.reference(*inputs)
        if not isinstance(wanted, tuple):
            results, wanted = (results,), (wanted,)
        for got, want in zip(results, wanted, strict=True):
            wide = got.dtype if got.dtype.kind in "biu" else np.float64
            np.testing.assert_allclose(
                got.astype(wide), want.astype(wide), rtol=0, atol=self.atol
            )


def random(name: str, shape: tuple[int, ...], dtype: str, seed: int) -> np.ndarray:
    """Return normal random floats or random integers; each name has its own."""
    rng = np.random.default_rng((seed, zlib.crc32(name.encode())))
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    if kind.kind in "iu":
        info = np.iinfo(kind)
        return rng.integers(info.min, info.max, shape, kind, endpoint=True)
    return rng.standard_normal(shape, np.float32).astype(kind)


def poison(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return memory for a result that is right nowhere before it is written."""
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    return np.full(shape, 77 if kind.kind in "iu" else np.nan).astype(kind)


def to_torch(torch: Any, array: np.ndarray) -> Any:
    """Return an array as a tensor on the GPU."""
    if array.dtype == ml_dtypes.bfloat16:
        # torch does not know NumPy's type.
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16).cuda()
    return torch.from_numpy(array).cuda()


def from_torch(torch: Any, tensor: Any) -> np.ndarray:
    """Return a tensor as an array."""
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).cpu().numpy().view(ml_dtypes.bfloat16)
    return tensor.cpu().numpy()
