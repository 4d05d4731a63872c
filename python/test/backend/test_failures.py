# SPDX-License-Identifier: MIT
"""An error of ours costs the autotuner one configuration, not the whole run."""

import pickle
import traceback

import pytest
import triton

from tlx import errors
from tlx.backend import names
from tlx.backend.failures import as_config_failure


def raise_failure(kind, message):
    try:
        raise kind(message)
    except errors.TLXError as error:
        raise as_config_failure(error) from None


ALL = [errors.TLXError, errors.CompileError, errors.ShapeError, errors.DTypeError]


@pytest.mark.parametrize("kind", ALL)
def test_failure_keeps_type_message_and_traceback(kind):
    with pytest.raises(kind, match=r"^expects more$") as caught:
        raise_failure(kind, "expects more")
    error = caught.value
    assert isinstance(error, names.CompileTimeAssertionFailure)
    assert type(error).__name__ == kind.__name__
    assert str(error) == "expects more"
    assert "raise_failure" in "".join(traceback.format_tb(error.__traceback__))
    assert as_config_failure(error) is error


def test_failure_travels_between_processes():
    error = as_config_failure(errors.CompileError("expects more", reproducer="x"))
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), copy.reproducer) == (str(error), "x")


class Kernel(triton.runtime.JITFunction):
    """Fails in one configuration, with the error it is given."""

    def __init__(self, error):
        def kernel(x, SIZE):
            pass

        super().__init__(kernel)
        self.error = error
        self.sizes = []

    def run(self, *args, **kwargs):
        """Stands in for a launch."""
        self.sizes.append(kwargs["SIZE"])
        if kwargs["SIZE"] == 1:
            raise self.error


def tune(error):
    kernel = Kernel(error)
    configs = [triton.Config({"SIZE": size}) for size in (1, 2, 4)]
    tuner = triton.autotune(
        configs, key=[], do_bench=lambda call, quantiles: call() or [1.0, 1.0, 1.0]
    )(kernel)
    tuner.run(0, grid=(1,), warmup=False)
    return tuner, kernel


def test_autotuner_goes_on_with_the_next_configuration():
    tuner, kernel = tune(as_config_failure(errors.ResourceError("too much")))
    assert set(kernel.sizes) == {1, 2, 4}
    assert tuner.best_config.kwargs["SIZE"] in (2, 4)


def test_autotuner_would_stop_at_the_bare_error():
    with pytest.raises(errors.ResourceError):
        tune(errors.ResourceError("too much"))
