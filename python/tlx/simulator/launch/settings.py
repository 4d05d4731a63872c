# SPDX-License-Identifier: MIT
"""Options of a simulation, as arguments, environment variables and flags."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tlx.errors import ArgumentError, did_you_mean
from tlx.simulator.explore import EXPLORE
from tlx.simulator.options import Options
from tlx.simulator.schedules import SCHEDULES
from tlx.simulator.timeline import write_page, write_trace

PREFIX = "TLX_SIMULATE"
DEFAULT_TARGET = "sm_90a"
WRITERS = {".html": write_page, ".json": write_trace}
_BOOLEANS = {
    **dict.fromkeys(("1", "true", "on", "yes"), True),
    **dict.fromkeys(("", "0", "false", "off", "no"), False),
}


@dataclasses.dataclass(frozen=True)
class Setting:
    """An option that users choose.

    Attributes:
        name: As a field of `Options`, or `target`.
        default: Its value unless chosen.
        help: One line.
        choices: Allowed texts, if there are few.
        minimum: Least value of a number.
    """

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    minimum: int = 0

    @property
    def variable(self) -> str:
        """Name of the environment variable."""
        return f"{PREFIX}_{self.name.upper()}"

    def check(self, value: Any, name: str | None = None) -> None:
        """Makes sure that a value is allowed.

        Args:
            value: What the user has chosen.
            name: What the user calls the option.

        Raises:
            ArgumentError: It is of another type or out of range.
        """
        name = name or self.name
        kind = type(self.default)
        if type(value) is not kind:
            raise ArgumentError.expects(name, f"of type {kind.__name__}", value)
        if self.choices and value not in self.choices:
            raise ArgumentError(
                f"expects '{name}' to be one of {', '.join(self.choices)}, but got "
                f"{value!r}{did_you_mean(value, self.choices)}"
            )
        if kind is int and value < self.minimum:
            raise ArgumentError.expects(name, f"at least {self.minimum}", value)

    def parse(self, text: str, name: str) -> Any:
        """Returns the value that a text of the user's stands for."""
        value: Any = text
        if isinstance(self.default, bool):
            value = _BOOLEANS.get(text.lower())
            if value is None:
                raise ArgumentError.expects(name, "0 or 1", text)
        elif isinstance(self.default, int):
            try:
                value = int(text)
            except ValueError:
                raise ArgumentError.expects(name, "an integer", text) from None
        self.check(value, name)
        return value


_DEFAULTS = Options()
SETTINGS = (
    Setting(
        "seed",
        _DEFAULTS.seed,
        "seed of the schedule; the same seed gives the same run",
    ),
    Setting(
        "schedule",
        _DEFAULTS.schedule,
        "order in which tasks and engines go on",
        (*SCHEDULES, EXPLORE),
    ),
    Setting(
        "max_runs",
        _DEFAULTS.max_runs,
        "runs after which the schedule 'explore' gives up",
        minimum=1,
    ),
    Setting(
        "max_steps",
        _DEFAULTS.max_steps,
        "steps after which a run is given up",
        minimum=1,
    ),
    Setting(
        "resident", _DEFAULTS.resident, "CTAs that run at the same time", minimum=1
    ),
    Setting(
        "level", _DEFAULTS.level, "IR that is run", ("tlxir", "ttgir", "stock_ttgir")
    ),
    Setting(
        "on_finding",
        _DEFAULTS.on_finding,
        "stop at the first finding or go on",
        ("raise", "collect"),
    ),
    Setting(
        "races",
        _DEFAULTS.races,
        "look for races and what else the order of events does not rule out",
    ),
    Setting(
        "same_value_writes",
        _DEFAULTS.same_value_writes,
        "what unordered writes of the same value to the same bytes are",
        ("warn", "error", "ignore"),
    ),
    Setting(
        "trace",
        "",
        "file for the timeline, a page (.html) or a trace for Perfetto (.json); each "
        "launch after the first has its number in the name",
    ),
    Setting(
        "trace_ctas",
        _DEFAULTS.trace_ctas,
        "CTAs that the timeline shows: the first ones",
        minimum=1,
    ),
    Setting("target", DEFAULT_TARGET, "GPU that is compiled for"),
)


def make_options(values: Mapping[str, Any]) -> tuple[Options, str, Path | None]:
    """Returns checked options, the target, and the file for timelines.

    Args:
        values: Values by name; what is missing has its default. `trace` may also be
            True, for timelines without a file.

    Raises:
        ArgumentError: A value is not allowed.
    """
    values = dict(values)
    trace = values.pop("trace", False)
    path = None
    if isinstance(trace, (str, os.PathLike)):
        path = Path(trace) if str(trace) else None
    elif not isinstance(trace, bool):
        raise ArgumentError.expects("trace", "a file or True", trace)
    if path is not None and path.suffix not in WRITERS:
        raise ArgumentError.expects(
            "trace", f"a file that ends in {' or '.join(WRITERS)}", str(path)
        )
    for setting in SETTINGS:
        if setting.name in values:
            setting.check(values[setting.name])
    target = values.pop("target", DEFAULT_TARGET)
    traced = path is not None or trace is True
    return Options(**values, trace=traced), target, path


def from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Returns the values that are chosen by variables such as TLX_SIMULATE_SEED.

    Raises:
        ArgumentError: A variable is unknown, or its value is not allowed.
    """
    known = {setting.variable: setting for setting in SETTINGS}
    values: dict[str, Any] = {}
    for variable, text in environment.items():
        if not variable.startswith(f"{PREFIX}_"):
            continue
        setting = known.get(variable)
        if setting is None:
            raise ArgumentError(
                f"expects {PREFIX}_... to name an option of the simulator, but got "
                f"'{variable}'{did_you_mean(variable, known)}"
            )
        values[setting.name] = setting.parse(text, variable)
    return values


def is_on(environment: Mapping[str, str]) -> bool:
    """Tells whether TLX_SIMULATE asks for the simulator.

    Raises:
        ArgumentError: The value is neither 0 nor 1.
    """
    switch = Setting(PREFIX.lower(), False, "run all kernels in the simulator")
    return switch.parse(environment.get(PREFIX, "0"), PREFIX)
