# SPDX-License-Identifier: MIT
"""What ptxas says is read as it writes it."""

import pytest

from tlx.backend import aot, names, ptxas
from tlx.errors import InternalError, ResourceError

LOG = """
ptxas-blackwell info    : (C7510) Potential Performance Loss: wgmma is serialized
ptxas-blackwell info    : (C7510) Potential Performance Loss: wgmma is serialized
ptxas info    : 0 bytes gmem
ptxas warning : For entry k adjusting register count of 7 to lower bound of 24
ptxas /tmp/x.ptx, line 35; warning : .maxnreg is ignored
ptxas info    : Compiling entry function 'k' for 'sm_90a'
ptxas info    : Function properties for k
    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 80 registers, used 1 barriers, 4 bytes smem
ptxas info    : Function properties for helper
    8 bytes stack frame, 4 bytes spill stores, 0 bytes spill loads
ptxas info    : Compile time = 44.351 ms
"""


def test_log():
    assert ptxas.parse(LOG) == ptxas.Usage(
        registers=80,
        stack=24,
        spill_stores=16,
        spill_loads=8,
        messages=(
            "(C7510) Potential Performance Loss: wgmma is serialized",
            "For entry k adjusting register count of 7 to lower bound of 24",
            ".maxnreg is ignored",
        ),
    )


def test_empty_log():
    assert ptxas.parse("") == ptxas.Usage(0, 0, 0, 0, ())


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (
            "PTXAS error: failed\nptxas /tmp/x.ptx, line 21; error   : Positive value "
            "expected\nptxas fatal   : Ptx assembly aborted due to errors\n",
            "Positive value expected",
        ),
        (
            "ptxas warning : careful\nptxas fatal   : (C7602) Insufficient registers\n"
            "ptxas fatal   : Ptx assembly aborted due to errors\n",
            "(C7602) Insufficient registers",
        ),
        ("`ptxas` raised SIGSEGV\n\n", "`ptxas` raised SIGSEGV"),
        ("", "no message"),
    ],
)
def test_first_error(log, reason):
    assert ptxas.first_error(log) == reason


PTX = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry k() {BODY ret; }
"""


def assemble(body, metadata):
    backend = names.make_backend(aot.parse_target("sm_90a"))
    stages = {}
    backend.add_stages(stages, backend.parse_options({}), "tlx")
    return stages["cubin"](PTX.replace("BODY", body), metadata)


def test_log_is_collected_and_not_printed(capsys, monkeypatch):
    log = ptxas.Log()
    with ptxas.logged(log):
        assemble("", {})
    assert ptxas.parse(log.text).registers > 0
    assert capsys.readouterr().out == ""
    assert not names.knobs.nvidia.dump_ptxas_log
    monkeypatch.setattr(names.knobs.nvidia, "dump_ptxas_log", True)
    with ptxas.logged(log):
        assemble("", {})
    assert "registers" in capsys.readouterr().out
    assert names.knobs.nvidia.dump_ptxas_log


def test_bad_ptx_is_our_fault(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TLX_REPRODUCER_DIR", str(tmp_path))
    with pytest.raises(InternalError, match="ptxas rejected the kernel") as caught:
        assemble("nonsense;", {"name": "k"})
    assert "Not a name of any known instruction" in caught.value.message
    (file,) = tmp_path.iterdir()
    assert caught.value.reproducer == str(file)
    assert capsys.readouterr().out == ""


def test_too_few_registers_are_not(tmp_path, monkeypatch):
    def make_cubin(*arguments):
        log = "failed\nptxas fatal   : (C7602) Insufficient registers (24)"
        raise names.PTXASError(log)

    monkeypatch.setenv("TLX_REPRODUCER_DIR", str(tmp_path))
    monkeypatch.setattr(names.CUDABackend, "make_cubin", make_cubin)
    with pytest.raises(ResourceError) as caught:
        assemble("", {})
    assert caught.value.message == (
        "expects 'maxnreg' to leave enough registers, but ptxas says: (C7602) "
        "Insufficient registers (24)"
    )
    assert list(tmp_path.iterdir()) == []
