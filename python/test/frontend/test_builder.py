# SPDX-License-Identifier: MIT
"""The builder has what the front end of the installed Triton calls."""

import re
from pathlib import Path

import pytest
import triton
from kernels import CASES
from wheel import Compilation

from tlx import _ext
from tlx.backend import names
from tlx.compiler.builder import builder_class
from tlx.compiler.rows import table
from tlx.errors import UnsupportedError

_FOLDER = Path(triton.__file__).parent
# Attributes that are set on the builder, not methods of it.
_DATA = {"options", "codegen_fns", "module_map"}


def called_by_the_front_end():
    """Builder methods, by name, with the file that calls them."""
    files = [*(_FOLDER / "language").glob("*.py")]
    files.append(_FOLDER / "compiler" / "code_generator.py")
    found = {}
    for path in files:
        text = path.read_text()
        for name in re.findall(r"\b_?builder\.(\w+)", text):
            found.setdefault(name, path.name)
    # Reached by getattr(builder, f"get_{dtype.name}").
    for name in ("bf16", "int8", "int16", "uint8", "uint16", "uint32", "uint64"):
        found.setdefault(f"get_{name}", "semantic.py")
    return {name: file for name, file in found.items() if name not in _DATA}


@pytest.fixture
def builder():
    built = builder_class(names.TRITON_VERSION)(_ext.Context())
    module = built.create_module()
    built.set_insertion_point_to_end(module.body)
    return built


def test_the_scan_finds_methods():
    assert len(called_by_the_front_end()) > 150


def test_has_every_method():
    cls = builder_class(names.TRITON_VERSION)
    calls = called_by_the_front_end()
    missing = {n: file for n, file in calls.items() if not hasattr(cls, n)}
    assert not missing, f"Triton {triton.__version__} calls them in these files"


def test_table_has_no_method_that_triton_lacks():
    known = set(dir(names.ir.builder))
    assert set(table(names.TRITON_VERSION)) <= known


def test_unknown_method_names_itself_and_the_version(builder):
    version = ".".join(map(str, names.TRITON_VERSION))
    message = f"the builder method 'create_flux' of Triton {version} is not supported"
    with pytest.raises(UnsupportedError, match=re.escape(message)):
        builder.create_flux()
    assert not hasattr(builder, "flux")


# Not called by any version's front end, or for a GPU that is not NVIDIA's.
_UNUSED = {
    *(f"create_fcmp{name}" for name in ("ONE", "UEQ", "UGE", "UGT", "ULE", "ULT")),
    *(f"get_{name}_ty" for name in ("fp8e4b15", "fp8e4b8", "fp8e5b16")),
    *(f"get_{name}" for name in ("int128_ty", "void_ty", "bool_attr", "string_attr")),
}


def test_kernels_use_every_row(monkeypatch):
    used = set()
    cls = builder_class(names.TRITON_VERSION)

    def record(name, method):
        def recorded(*args, **keywords):
            used.add(name)
            return method(*args, **keywords)

        return recorded

    for name in table(names.TRITON_VERSION):
        monkeypatch.setattr(cls, name, record(name, getattr(cls, name)))
    for case in CASES:
        Compilation(case).ours()
    assert set(table(names.TRITON_VERSION)) - used == _UNUSED


def test_missing_method_is_reported_at_the_line_of_the_kernel(monkeypatch):
    case = next(case for case in CASES if case.name == "math_functions")
    monkeypatch.delattr(builder_class(names.TRITON_VERSION), "create_erf")
    with pytest.raises(UnsupportedError, match="'create_erf' of Triton") as caught:
        Compilation(case).ours()
    assert Path(caught.value.file).name == "kernels_elementwise.py"
    assert "tl.erf(a)" in caught.value.location.text


def test_unknown_version_of_triton():
    with pytest.raises(ValueError, match=r"expects Triton 3\.8, 3\.9, but got"):
        table((3, 5))


def test_wrong_number_of_arguments(builder):
    message = "create_add expects 2 arguments, but got 1 and the keywords []"
    with pytest.raises(TypeError, match=re.escape(message)):
        builder.create_add(builder.get_int32(1))


def test_constants_wrap_to_their_width(builder):
    values = {
        builder.get_int8(200): "-56 : i8",
        builder.get_uint64(2**64 - 1): "-1 : i64",
        builder.get_int1(True): "true",
        builder.get_bf16(1.5): "1.500000e+00 : bf16",
        builder.get_all_ones_value(builder.get_int16_ty()): "-1 : i16",
    }
    for value, text in values.items():
        assert str(value.owner.get_attr("value")) == text


def test_null_value_needs_a_number(builder):
    message = "expects an integer or floating point type, but got 'none'"
    with pytest.raises(TypeError, match=message):
        builder.get_null_value(builder.get_void_ty())


def test_types_are_cached_by_text(builder):
    assert builder.parse_type("!tt.ptr<f32>") is builder.parse_type("!tt.ptr<f32>")
    with pytest.raises(ValueError, match="`nothing` in dialect `tt`"):
        builder.parse_type("!tt.nothing")


def test_enums_are_taken_by_name(builder):
    class Scope:
        name = "GALAXY"

    pointer = builder.create_int_to_ptr(
        builder.get_int64(0), builder.parse_type("!tt.ptr<i32>")
    )
    one = builder.get_int32(1)
    sem = names.ir.MEM_SEMANTIC.RELAXED
    op = builder.create_atomic_cas(
        pointer, one, one, sem, names.ir.MEM_SYNC_SCOPE.SYSTEM
    ).owner
    assert op.get_attr("scope").value == 3
    with pytest.raises(ValueError, match="expects one of GPU, CTA, SYSTEM"):
        builder.create_atomic_cas(pointer, one, one, sem, Scope())
