# SPDX-License-Identifier: MIT
"""What the options of a launch may be, the same for every way to compile a kernel.

Triton asserts a few of these rules and hands everything else to its passes and to
ptxas, which clamp what they are given, or fail without a word about the option.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tlx.backend import clusters, instrumentation
from tlx.backend.failures import as_config_failure
from tlx.errors import (
    ArgumentError,
    ResourceError,
    TLXError,
    UnsupportedError,
    did_you_mean,
)

# CUDA programming guide, technical specifications: threads of a block, 32 a warp.
MAX_WARPS = 32
# The same: registers of a thread. ptxas raises what is less than its ABI needs.
MIN_REGISTERS = 24
MAX_REGISTERS = 255
# What Triton's passes take.
_MAX_STAGES = 2**31 - 1
# PTX ISA, cluster dimensions: what every GPU with clusters can launch, and no more
# without an attribute that Triton does not set.
_CLUSTER_SIZES = (1, 2, 4, 8)


def _integer(name: str, value: Any, rule: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ArgumentError.expects(name, rule, value)
    return value


def _check_num_warps(value: Any) -> None:
    rule = f"a power of two from 1 to {MAX_WARPS}"
    warps = _integer("num_warps", value, rule)
    if warps < 1 or warps & (warps - 1):
        raise ArgumentError.expects("num_warps", rule, warps)
    if warps > MAX_WARPS:
        raise ResourceError(
            f"expects 'num_warps' to be at most {MAX_WARPS}, as a CTA has at most "
            f"{MAX_WARPS * 32} threads, but got {warps}",
            expected=rule,
            found=warps,
        )


def _check_num_ctas(value: Any, takes_clusters: bool) -> None:
    if takes_clusters:
        rule = "1, 2, 4 or 8"
        if _integer("num_ctas", value, rule) not in _CLUSTER_SIZES:
            raise ArgumentError.expects("num_ctas", rule, value)
    elif _integer("num_ctas", value, "1") != 1:
        raise UnsupportedError(
            f"expects 'num_ctas' to be 1, but got {value}: clusters are not supported",
            expected="1",
            found=value,
        )


def _check_num_stages(value: Any) -> None:
    rule = f"an integer from 0 to {_MAX_STAGES}"
    if not 0 <= _integer("num_stages", value, rule) <= _MAX_STAGES:
        raise ArgumentError.expects("num_stages", rule, value)


def _check_maxnreg(value: Any) -> None:
    rule = f"an integer from {MIN_REGISTERS} to {MAX_REGISTERS}"
    if not MIN_REGISTERS <= _integer("maxnreg", value, rule) <= MAX_REGISTERS:
        raise ArgumentError.expects("maxnreg", rule, value)


def check(options: Mapping[str, Any], *, takes_clusters: bool = False) -> None:
    """Makes sure that options of a launch can be compiled.

    Args:
        options: Options by name; None stands for the default.
        takes_clusters: Whether more than one CTA per cluster is possible.

    Raises:
        ArgumentError: A value is none that the option can have.
        ResourceError: A CTA has not as many threads.
        UnsupportedError: The cluster has more than one CTA.
    """
    given = {name: value for name, value in options.items() if value is not None}
    try:
        if "num_warps" in given:
            _check_num_warps(given["num_warps"])
        if "num_ctas" in given:
            _check_num_ctas(given["num_ctas"], takes_clusters)
        if "num_stages" in given:
            _check_num_stages(given["num_stages"])
        if "maxnreg" in given:
            _check_maxnreg(given["maxnreg"])
        if clusters.OPTION in given:
            clusters.check(given[clusters.OPTION])
        instrumentation.check(given.get(instrumentation.OPTION, ""))
    except TLXError as error:
        raise as_config_failure(error) from None


def check_names(
    options: Iterable[str], known: Iterable[str], parameters: Iterable[str], kernel: str
) -> None:
    """Makes sure that options of a launch exist.

    Args:
        options: Their names.
        known: Options that Triton knows.
        parameters: Parameters of the kernel, which may have been meant.
        kernel: Name of the kernel.

    Raises:
        ArgumentError: One does not exist.
    """
    known, own = list(known), list(parameters)
    for name in options:
        if name not in known:
            raise ArgumentError(
                f"kernel '{kernel}' has no parameter and Triton no option "
                f"'{name}'{did_you_mean(name, [*own, *known])} (it takes "
                f"{', '.join(own) or 'none'})"
            )
