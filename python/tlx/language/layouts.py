# SPDX-License-Identifier: MIT
"""Layouts that a kernel may pin instead of leaving the choice to the compiler."""

from __future__ import annotations

import functools
import hashlib
import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any, cast

from triton.language import core as tl

from tlx import _ext

from ..errors import ArgumentError, LayoutError, ShapeError, TLXError, describe
from ._core import (
    WARP_SIZE,
    block_shape,
    build,
    builtin,
    check_call,
    const_bool,
    const_dtype,
    const_int,
    const_shape,
    is_block,
    unwrap,
)

# Of a buffer, as in const_shape.
MAX_RANK = 5

__all__ = [
    "layout",
    "layout_encoding",
    "nv_mma_shared_layout_encoding",
    "release_layout",
    "require_layout",
    "shared_layout_encoding",
    "swizzled_layout",
    "swizzled_shared_layout_encoding",
    "zeros",
]


def _checked(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(function)

    @functools.wraps(function)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            check_call(signature, (self, *args), kwargs)
            return function(self, *args, **kwargs)
        except TLXError as error:
            raise error.about(f"tlx.{name}") from None

    return wrapper


class layout_encoding:
    """Base of all layouts; compares by its MLIR text.

    Subclasses define `to_mlir(shape)`, the attribute for a tile of that shape.
    """

    # Triton lets a kernel name a global only if it is marked or a constexpr.
    __triton_builtin__ = True

    def __init_subclass__(cls) -> None:
        """Let a constructor say what it takes, and who rejects an argument."""
        if "__init__" in vars(cls):
            cls.__init__ = _checked(cls.__name__, cls.__init__)  # type: ignore[method-assign]

    def to_mlir(self, shape: Sequence[int]) -> str:
        """Return the MLIR attribute of this layout for a tile."""
        raise NotImplementedError

    def to_ir(self, builder: Any, shape: Sequence[int]) -> Any:
        """Return the attribute as an IR object."""
        return builder.parse_attr(self.to_mlir(shape))

    def make_permute(self, dims: Sequence[int]) -> layout_encoding:
        """Return the layout of the tile with its dimensions permuted."""
        raise LayoutError(
            f"cannot permute a {type(self).__name__} by {describe(unwrap(dims))}"
        )

    def mangle(self) -> str:
        """Return a name that is fit for a symbol and differs between layouts."""
        digest = hashlib.sha256(repr(self).encode()).hexdigest()[:8]
        return f"L{digest}"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


class shared_layout_encoding(layout_encoding):
    """Base of the layouts of shared memory."""


class swizzled_shared_layout_encoding(shared_layout_encoding):
    """Swizzle vectors of elements by an exclusive or with the row.

    Args:
        vectorSize: elements that stay together.
        perPhase: rows that share a phase.
        maxPhase: number of phases.
        order: dimensions, fastest first.
        numCTAs: CTAs per dimension; ones.
        numCTAsPerCGA: as `numCTAs`.
        numCTASplit: as `numCTAs`.
        numCTAOrder: order of the CTAs; not used with one CTA.
    """

    def __init__(
        self,
        vectorSize: Any,
        perPhase: Any,
        maxPhase: Any,
        order: Any,
        numCTAs: Any = None,
        numCTAsPerCGA: Any = None,
        numCTASplit: Any = None,
        numCTAOrder: Any = None,
    ) -> None:
        self.vec = _power_of_two(vectorSize, "vectorSize")
        self.per_phase = _power_of_two(perPhase, "perPhase")
        self.max_phase = _power_of_two(maxPhase, "maxPhase")
        self.order = _order(order)
        for name, value in (
            ("numCTAs", numCTAs),
            ("numCTAsPerCGA", numCTAsPerCGA),
            ("numCTASplit", numCTASplit),
        ):
            _one_cta(value, name)
        del numCTAOrder

    @classmethod
    def make_default(cls, rank: int) -> swizzled_shared_layout_encoding:
        """Row-major order without a swizzle."""
        return cls(1, 1, 1, _row_major(rank))

    def make_permute(self, dims: Sequence[int]) -> swizzled_shared_layout_encoding:
        """Return the layout of the tile with its dimensions permuted."""
        perm = _order(dims, "dims", len(self.order))
        order = [perm.index(dim) for dim in self.order]
        return swizzled_shared_layout_encoding(
            self.vec, self.per_phase, self.max_phase, order
        )

    def to_mlir(self, shape: Sequence[int]) -> str:
        """Return the MLIR attribute of this layout for a tile."""
        _check_rank(len(self.order), shape)
        return (
            f"#ttg.swizzled_shared<{{vec = {self.vec}, perPhase = {self.per_phase}, "
            f"maxPhase = {self.max_phase}, order = {self.order}}}>"
        )

    def __repr__(self) -> str:
        return (
            f"swizzled_shared{(self.vec, self.per_phase, self.max_phase, self.order)}"
        )


class swizzled_layout(shared_layout_encoding):
    """CuTe's `Swizzle<B, M, S>` over a tile.

    Args:
        B: log2 of the number of phases.
        M: log2 of the elements that stay together.
        S: distance of the swizzled bits.
        order: dimensions, fastest first; row-major if left out.
    """

    def __init__(self, B: Any, M: Any, S: Any, order: Any = None) -> None:
        self.bits = _small(B, "B")
        self.base = _small(M, "M")
        self.shift = _small(S, "S")
        self.order = None if unwrap(order) is None else _order(order)

    @classmethod
    def make_default(cls, rank: int) -> swizzled_layout:
        """Row-major order without a swizzle."""
        return cls(0, 0, 0, _row_major(rank))

    def to_mlir(self, shape: Sequence[int]) -> str:
        """Return the MLIR attribute of this layout for a tile."""
        order = self.order or list(reversed(range(len(shape))))
        _check_rank(len(order), shape)
        span, extent = 1 << (self.shift + self.base), shape[order[0]]
        per_phase = 1
        if self.bits:
            if span < extent or span % extent:
                raise LayoutError.expects(
                    "2^(S + M)", f"a multiple of the contiguous extent {extent}", span
                )
            per_phase = span // extent
        return swizzled_shared_layout_encoding(
            1 << self.base, per_phase, 1 << self.bits, order
        ).to_mlir(shape)

    def __repr__(self) -> str:
        return f"swizzled{(self.bits, self.base, self.shift, self.order)}"


class nv_mma_shared_layout_encoding(shared_layout_encoding):
    """The layouts that TMA and the tensor core read.

    The swizzle spans 128, 64 or 32 bytes of the contiguous dimension, whichever
    fits.

    Args:
        shape: shape of one buffer.
        order: dimensions, fastest first.
        elemType: element type.
        numCTAsPerCGA: CTAs per dimension; ones.
        numCTASplit: as `numCTAsPerCGA`.
        numCTAOrder: order of the CTAs; not used with one CTA.
        fp4Padded: whether 4-bit elements are padded to bytes.
        swizzled: use no swizzle if false.
    """

    def __init__(
        self,
        shape: Any,
        order: Any,
        elemType: Any,
        numCTAsPerCGA: Any = None,
        numCTASplit: Any = None,
        numCTAOrder: Any = None,
        fp4Padded: Any = False,
        swizzled: Any = True,
    ) -> None:
        del numCTAOrder
        _one_cta(numCTAsPerCGA, "numCTAsPerCGA")
        _one_cta(numCTASplit, "numCTASplit")
        self.shape = _extents(shape)
        self.order = _order(order)
        _check_rank(len(self.order), self.shape)
        self.elem_type: tl.dtype = const_dtype(elemType, "elemType")
        self.fp4_padded = const_bool(fp4Padded, "fp4Padded")
        self.swizzled = const_bool(swizzled, "swizzled")

    @classmethod
    def make_default(cls, shape: Any, elemType: Any) -> nv_mma_shared_layout_encoding:
        """Row-major order with the widest swizzle that fits."""
        return cls(shape, _row_major(len(_extents(shape))), elemType)

    def make_permute(self, dims: Sequence[int]) -> nv_mma_shared_layout_encoding:
        """Return the layout of the tile with its dimensions permuted."""
        perm = _order(dims, "dims", len(self.order))
        return nv_mma_shared_layout_encoding(
            [self.shape[dim] for dim in perm],
            [perm.index(dim) for dim in self.order],
            self.elem_type,
            fp4Padded=self.fp4_padded,
            swizzled=self.swizzled,
        )

    @property
    def swizzle_bytes(self) -> int:
        """Bytes that the swizzle spans: 128, 64, 32, or 0 for none."""
        if not self.swizzled:
            return 0
        bits = self.elem_type.primitive_bitwidth * (2 if self.fp4_padded else 1)
        return _ext.widest_swizzle(self.shape, bits, self._is_transposed)

    @property
    def _is_transposed(self) -> bool:
        """Whether columns are contiguous."""
        return self.order[0] != len(self.order) - 1

    def to_mlir(self, shape: Sequence[int]) -> str:
        """Return the MLIR attribute of this layout for a tile."""
        _check_rank(len(self.order), shape)
        padded = ", fp4Padded = true" if self.fp4_padded else ""
        rank = f", rank = {len(shape)}" if len(shape) != 2 else ""
        return (
            f"#ttg.nvmma_shared<{{swizzlingByteWidth = {self.swizzle_bytes}, "
            f"transposed = {str(self._is_transposed).lower()}, "
            f"elementBitWidth = {self.elem_type.primitive_bitwidth}{padded}{rank}}}>"
        )

    def __repr__(self) -> str:
        return (
            f"nv_mma_shared{(self.shape, self.order, str(self.elem_type))}"
            f"{(self.fp4_padded, self.swizzled)}"
        )


class layout(layout_encoding):
    """A register layout in CuTe's thread-value form.

    The lowest 5 bits of the thread index are the lane, the others the warp; the
    bits of the value index number the registers of a thread. Offsets count the
    elements of the tile in row-major order.

    Args:
        spec: a shared layout, which is returned as it is.
        shape: `((thread modes), (value modes))`, each a power of two.
        stride: offsets of the modes, nested like `shape`.

    Example:
        >>> tile = layout(shape=((32, 4), (4,)), stride=((4, 128), (1,)))
        >>> tile.to_mlir((4, 128))  # doctest: +ELLIPSIS
        '#ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], ...
    """

    def __new__(cls, spec: Any = None, **modes: Any) -> Any:
        """Return a shared layout as it is, else make a register layout."""
        del modes
        if isinstance(unwrap(spec), shared_layout_encoding):
            return unwrap(spec)
        return super().__new__(cls)

    def __init__(self, spec: Any = None, *, shape: Any = None, stride: Any = None):
        if unwrap(spec) is not None:
            raise ArgumentError.expects("spec", "a shared layout", unwrap(spec))
        self.shape = _modes(shape, "shape")
        self.stride = _modes(stride, "stride")
        for sizes, strides in zip(self.shape, self.stride, strict=True):
            if len(sizes) != len(strides):
                raise ArgumentError.expects(
                    "stride", "nested like 'shape'", self.stride
                )
            for size in sizes:
                _power_of_two(size, "shape")

    def to_mlir(self, shape: Sequence[int]) -> str:
        """Return the MLIR attribute of this layout for a tile."""
        threads = self._bases(0, shape)
        registers = self._bases(1, shape)
        lane_bits = int(math.log2(WARP_SIZE))
        if len(threads) < lane_bits:
            raise LayoutError.expects(
                "shape[0]", f"of at least {WARP_SIZE} threads", 1 << len(threads)
            )
        return (
            f"#ttg.linear<{{register = {registers}, lane = {threads[:lane_bits]}, "
            f"warp = {threads[lane_bits:]}, block = []}}>"
        )

    def _bases(self, part: int, shape: Sequence[int]) -> list[list[int]]:
        bases: list[list[int]] = []
        for size, stride in zip(self.shape[part], self.stride[part], strict=True):
            for bit in range(size.bit_length() - 1):
                bases.append(_coordinates(stride << bit, shape))
        return bases

    def __repr__(self) -> str:
        return f"layout{(self.shape, self.stride)}"


def _coordinates(offset: int, shape: Sequence[int]) -> list[int]:
    if offset & (offset - 1):
        raise LayoutError.expects("stride", "made of powers of two", offset)
    if offset >= math.prod(shape):
        raise LayoutError.expects(
            "offsets", f"inside the tile of {math.prod(shape)} elements", offset
        )
    coords: list[int] = []
    for dim in reversed(shape):
        coords.append(offset % dim)
        offset //= dim
    return coords[::-1]


def _modes(value: Any, name: str) -> list[list[int]]:
    plain = unwrap(value)
    if not isinstance(plain, list) or len(cast("list[Any]", plain)) != 2:
        raise ArgumentError.expects(name, "((thread modes), (value modes))", plain)
    parts = [
        cast("list[int]", part if isinstance(part, list) else [part])
        for part in cast("list[Any]", plain)
    ]
    for part in parts:
        for mode in part:
            _small(mode, name, limit=1 << 30)
    return parts


def _small(value: Any, name: str, limit: int = 20) -> int:
    plain = unwrap(value)
    if isinstance(plain, bool) or not isinstance(plain, int) or not 0 <= plain <= limit:
        raise ArgumentError.expects(name, f"an integer in [0, {limit}]", plain)
    return plain


def _power_of_two(value: Any, name: str) -> int:
    plain = const_int(value, name, least=1)
    if plain & (plain - 1):
        raise ArgumentError.expects(name, "a power of two", plain)
    return plain


def _integers(value: Any, name: str) -> list[int]:
    plain = unwrap(value)
    if not isinstance(plain, list):
        raise ArgumentError.expects(name, "a list of integers", plain)
    items = cast("list[Any]", plain)
    return [const_int(item, f"{name}[{i}]") for i, item in enumerate(items)]


def _extents(value: Any) -> list[int]:
    shape = _integers(value, "shape")
    if not 1 <= len(shape) <= MAX_RANK:
        raise ShapeError.expects("shape", f"of rank 1 to {MAX_RANK}", shape)
    return shape


def _row_major(rank: Any) -> list[int]:
    return list(reversed(range(const_int(rank, "rank", least=1, most=MAX_RANK))))


def _order(value: Any, name: str = "order", rank: int | None = None) -> list[int]:
    order = _integers(value, name)
    dims = list(range(len(order) if rank is None else rank))
    if sorted(order) != dims:
        raise ArgumentError.expects(name, f"a permutation of {describe(dims)}", order)
    return order


def _one_cta(value: Any, name: str) -> None:
    if unwrap(value) is None:
        return
    counts = _integers(value, name)
    if any(count != 1 for count in counts):
        raise ArgumentError.expects(name, "made of ones", counts)


def _check_rank(rank: int, shape: Sequence[int]) -> None:
    if rank != len(shape):
        raise LayoutError.expects("layout", f"of rank {len(shape)}", rank)


# --- layouts of tensors ------------------------------------------------------


def register_layout(
    value: tl.tensor, pin: layout_encoding, *, soft: bool, semantic: Any
) -> tl.tensor:
    """Ask that a tensor have a register layout."""
    if not isinstance(pin, layout_encoding) or isinstance(pin, shared_layout_encoding):
        raise ArgumentError.expects("layout", "a register layout (tlx.layout)", pin)
    shape = block_shape(value)
    text = str(value.handle.get_type())
    attributes = {"layout": pin.to_mlir(shape)}
    if soft:
        attributes["soft"] = "unit"
    (handle,) = build(
        semantic, "tlx.require_layout", [value.handle], [text], attributes
    )
    return tl.tensor(handle, cast("tl.dtype", value.type))


@builtin
def require_layout(
    x: Any,
    layout: Any,
    pin: Any = True,
    late_address_compute: Any = False,
    _semantic: Any = None,
) -> tl.tensor:
    """Ask that a tensor have a layout.

    Args:
        x: a tensor.
        layout: a `tlx.layout`.
        pin: keep the layout at any price; if false the compiler may choose
            another one where that saves a conversion.
        late_address_compute: for AMD targets only.

    Returns:
        The tensor in that layout.

    Raises:
        ArgumentError: `x` is no tensor, or `layout` is none of registers.
        LayoutError: the layout does not fit the shape.
    """
    if not is_block(x):
        raise ArgumentError.expects("x", "a tensor", x)
    if unwrap(late_address_compute):
        raise ArgumentError.expects(
            "late_address_compute", "False (it is for AMD targets)", True
        )
    hard = const_bool(pin, "pin")
    return register_layout(x, unwrap(layout), soft=not hard, semantic=_semantic)


@builtin
def release_layout(x: Any, _semantic: Any = None) -> tl.tensor:
    """Let the compiler choose the layout of a tensor again.

    Args:
        x: a tensor.

    Returns:
        The tensor without a layout constraint.

    Raises:
        ArgumentError: `x` is no tensor.
    """
    if not is_block(x):
        raise ArgumentError.expects("x", "a tensor", x)
    text = str(x.handle.get_type())
    (handle,) = build(_semantic, "tlx.release_layout", [x.handle], [text])
    return tl.tensor(handle, x.type)


@builtin
def zeros(
    shape: Any, dtype: Any, layout: Any = None, _semantic: Any = None
) -> tl.tensor:
    """Make a tensor of zeros.

    Args:
        shape: shape of the tensor; powers of two.
        dtype: element type.
        layout: a `tlx.layout` to pin, or None.

    Returns:
        A tensor of zeros.

    Raises:
        ShapeError: the shape is malformed.
    """
    value = _semantic.full(const_shape(shape, "shape"), 0, const_dtype(dtype, "dtype"))
    pin = unwrap(layout)
    if pin is None:
        return value
    return register_layout(value, pin, soft=False, semantic=_semantic)
