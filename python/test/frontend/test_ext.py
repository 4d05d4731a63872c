# SPDX-License-Identifier: MIT
"""The extension: handles that outlive their IR, and errors instead of aborts."""

import ast
import gc
import threading
from pathlib import Path

import pytest

from tlx import _ext

TEXT = """
module {
  func.func @f(%a: i32, %b: i32) -> i32 {
    %c = arith.addi %a, %b : i32
    %d = arith.addi %a, %b : i32
    func.return %c : i32
  }
}
"""


@pytest.fixture
def context():
    return _ext.Context()


@pytest.fixture
def module(context):
    return _ext.parse(TEXT, context, "input.mlir")


@pytest.fixture
def builder(context, module):
    made = _ext.Builder(context)
    made.set_insertion_point_to_start(module.get_function("f").get_body())
    # Moving the insertion point takes the location of what is there.
    assert made.get_loc().file == "input.mlir"
    made.set_loc("kernel.py", 3, 4)
    return made


def error_of(function, *args):
    with pytest.raises(_ext.DiagnosticError) as caught:
        function(*args)
    return caught.value.diagnostics


def test_print_and_parse(context, module):
    assert "arith.addi %arg0, %arg1 : i32" in str(module)
    assert '"arith.addi"(%arg0, %arg1)' in module.str(generic=True)
    assert 'loc("input.mlir":4:10)' in module.str(debug=True)
    again = _ext.parse(module.str(generic=True, debug=True), context)
    assert again.str(debug=True) == module.str(debug=True)


def test_parse_error_has_a_place(context):
    (error,) = error_of(_ext.parse, "module {\n  nothing\n}", context, "bad.mlir")
    assert (error.severity, error.file, error.line) == ("error", "bad.mlir", 2)
    assert "custom op 'nothing' is unknown" in error.message


def test_notes_belong_to_their_error(context):
    text = TEXT.replace("%d = ", "%c = ")
    (error,) = error_of(_ext.parse, text, context, "bad.mlir")
    assert error.message == "redefinition of SSA value '%c'"
    (note,) = error.notes
    assert (note.severity, note.line) == ("note", 4)
    assert note.message == "previously defined here"


def test_verify_error_has_a_place(builder, module):
    argument = module.get_function("f").args(0)
    i32 = argument.type
    builder.create("arith.muli", [argument], [i32])
    (error,) = error_of(module.verify)
    assert (error.file, error.line, error.column) == ("kernel.py", 3, 4)
    assert error.message == "'arith.muli' op expected 2 operands, but found 1"


def test_create_infers_result_types(builder, module):
    a, b = module.get_function("f").args(0), module.get_function("f").args(1)
    predicate = builder.context.int_attr(1, 64)
    op = builder.create("arith.cmpi", [a, b], None, {"predicate": predicate})
    assert str(op.get_result(0).type) == "i1"


def test_create_needs_types_that_cannot_be_inferred(builder, module):
    value = module.get_function("f").args(0)
    (error,) = error_of(builder.create, "arith.extsi", [value])
    assert error.message == "'arith.extsi' needs explicit result types"


def test_create_of_unknown_op(builder):
    with pytest.raises(ValueError, match=r"name of an operation, but got 'no\.op'"):
        builder.create("no.op")


def test_create_with_wrong_attribute(builder):
    i32 = builder.context.int_type(32)
    attributes = {"value": [object]}
    with pytest.raises(TypeError, match="expects an attribute or a bool, int"):
        builder.create("arith.constant", [], [i32], attributes)
    attributes = {"predicate": "eq"}
    (error, *_) = error_of(builder.create, "arith.cmpi", [], [i32], attributes)
    assert "predicate" in error.message


def test_optional_operands_become_segments(builder, module):
    condition = builder.create(
        "arith.constant", [], [builder.context.int_type(1)], {"value": True}
    ).get_result(0)
    body = module.get_function("f").get_body()
    block = module.new_block()
    builder.set_insertion_point_to_end(block)
    op = builder.create("cf.cond_br", [condition, [], None], [], successors=[body] * 2)
    assert str(op.get_attr("operandSegmentSizes")) == "array<i32: 1, 0, 0>"


def test_no_insertion_point(context):
    with pytest.raises(RuntimeError, match="insertion point to be set"):
        _ext.Builder(context).create("ub.poison")


def test_operand_of_another_module(builder, context):
    other = _ext.parse(TEXT, context)
    value = other.get_function("f").args(0)
    with pytest.raises(RuntimeError, match="operand of the module that is built"):
        builder.create("arith.muli", [value, value])


def test_python_runs_while_passes_do(context):
    body = "".join(f"    %v{i} = arith.addi %a, %a : i32\n" for i in range(3000))
    text = TEXT.replace("    %c =", body + "    %c =")
    passes = ",".join(["canonicalize{max-iterations=1}"] * 40)
    refusals = set()
    for _ in range(10):
        module = _ext.parse(text, context)
        run = threading.Thread(target=_ext.run_pipeline, args=(module, passes))
        run.start()
        while run.is_alive():
            try:
                module.verify()
            except RuntimeError as error:
                refusals.add(str(error))
        if refusals:
            break
    assert refusals == {"the context is in use: passes are running in another thread"}
    assert module.verify()


def test_values_keep_their_module_alive(context):
    value = _ext.parse(TEXT, context).get_function("f").args(0)
    del context
    gc.collect()
    assert str(value.type) == "i32"
    assert value.owner.operations[0].name == "arith.addi"


def test_erased_ops_stay_readable(module):
    op = module.get_function("f").get_body().operations[1]
    value = op.get_result(0)
    op.erase()
    gc.collect()
    assert op.name == "arith.addi"
    assert str(value.type) == "i32"
    assert str(module).count("arith.addi") == 1


def test_op_with_uses_is_not_erased(module):
    op = module.get_function("f").get_body().operations[0]
    with pytest.raises(RuntimeError, match=r"'arith\.addi' has uses"):
        op.erase()


def test_erased_blocks_stay_readable(builder):
    block = builder.create_block()
    value = builder.create(
        "arith.constant", [], [builder.context.int_type(8)], {"value": True}
    ).get_result(0)
    block.erase()
    assert str(value.type) == "i8"
    assert block.get_parent() is None


def test_block_with_outside_uses_is_not_erased(module):
    block = module.get_function("f").get_body()
    inner = module.new_block()
    builder = _ext.Builder(module.context)
    builder.set_insertion_point_to_end(inner)
    builder.create("arith.muli", [block.arg(0), block.arg(0)])
    with pytest.raises(RuntimeError, match="whose values have no uses outside"):
        block.erase()


@pytest.mark.parametrize("passes", ["cse", "builtin.module(canonicalize,cse)"])
def test_handles_are_stale_after_passes(module, passes):
    function = module.get_function("f")
    argument = function.args(0)
    _ext.run_pipeline(module, passes)
    assert str(module).count("arith.addi") == 1
    for use in (lambda: function.name, lambda: argument.type):
        with pytest.raises(RuntimeError, match="this handle is stale"):
            use()
    assert str(module.get_function("f").args(0).type) == "i32"


def test_unknown_pass(module):
    with pytest.raises(_ext.DiagnosticError, match="'sparkle' does not refer to"):
        _ext.run_pipeline(module, "sparkle")


def test_insertion_point_follows_its_op(builder, module):
    body = module.get_function("f").get_body()
    second = body.operations[1]
    builder.set_insertion_point_before(second)
    point = builder.get_insertion_point()
    body.operations[0].get_result(0).replace_all_uses_with(second.get_result(0))
    body.operations[0].erase()
    builder.restore_insertion_point(point)
    argument = body.arg(0)
    made = builder.create("arith.muli", [argument, argument])
    assert body.operations[0] == made


def test_replace_needs_the_same_type(builder, module):
    value = module.get_function("f").args(0)
    other = builder.create(
        "arith.constant", [], [builder.context.int_type(1)], {"value": True}
    ).get_result(0)
    with pytest.raises(TypeError, match="a value of type 'i32', but got 'i1'"):
        value.replace_all_uses_with(other)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda c: c.tensor_type([-3], c.int_type(8)), "invalid tensor dimension"),
        (lambda c: c.int_type(0), "expects 'width' to be in"),
        (lambda c: c.float_type("f7"), "name of a floating point type, but got 'f7'"),
        (lambda c: c.parse_attr("dense<1>"), "expected"),
    ],
)
def test_bad_types_and_attributes(context, make, message):
    with pytest.raises(ValueError, match=message):
        make(context)


def test_attribute_values(context):
    assert context.attr([1, 2]).value == [1, 2]
    assert context.attr({"a": True, "b": "x"}).value == {"a": True, "b": "x"}
    assert context.int_attr(-1, 64).value == -1
    assert context.int_attr(2**64 - 1, 64).value == -1
    assert context.attr(2.5).value == 2.5
    assert context.attr(context.int_type(8)).value == context.int_type(8)


def members(nodes):
    """Public names that the statements of a stub define."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found.add(node.name)
    return {name for name in found if not name.startswith("_")}


def test_stub_lists_what_there_is():
    stub = ast.parse(Path(_ext.__file__).with_name("_ext.pyi").read_text())
    assert members(stub.body) == {n for n in dir(_ext) if not n.startswith("_")}
    # Set on each error, and by tlx.compiler.handles.
    added = {"DiagnosticError": {"diagnostics"}, "Value": {"get_context", "set_attr"}}
    for node in stub.body:
        if not isinstance(node, ast.ClassDef):
            continue
        cls = getattr(_ext, node.name)
        names = set(vars(cls)) | added.get(node.name, set())
        public = {name for name in names if not name.startswith("_")}
        assert members(node.body) == public, node.name
