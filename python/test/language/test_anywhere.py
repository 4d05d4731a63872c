# SPDX-License-Identifier: MIT
"""Values of TLX anywhere in a kernel: it compiles, or a `TLXError` says what is wrong.

Each statement is compiled with each kind of value in place of `V`.
"""

import importlib.util
import re

import pytest

from tlx.errors import InternalError, TLXError

PREAMBLE = """
import tlx, triton
import triton.language as tl


@triton.jit
def same(v):
    return v


@triton.jit
def constant(v: tl.constexpr):
    return v


@triton.jit(noinline=True)
def away(v):
    pass


@triton.jit
def either(v, w, c):
    if c:
        return v
    return w


@triton.constexpr_function
def plain(v):
    return v


@triton.jit
def combine(a, b):
    return a + b


@triton.jit
def kernel(x, d):
    ring = tlx.local_alloc((64,), tl.float16, 2)
    wide = tlx.local_alloc((128,), tl.float16, 1)[0]
    bars = tlx.alloc_barriers(2)
    token = tlx.async_load_commit_group()
    ptrs = tlx.allocate_tensor_descriptor(2)
    n = tl.load(x).to(tl.int32)
    tile = tl.zeros((64,), tl.float16)
    pair = (ring[0], ring[1])
"""
VALUES = ("ring", "ring[0]", "bars[0]", "token", "ptrs", "d", "pair")
OPERATORS = """
V + 1; 1 - V; V * V; V @ V; V == V; V < 1; 1 in V; V in (1, 2); V and n; n or V
V or True; not V; -V; ~V; V is None; y = V is not V; v = V; v += 1; V[0] += 1
(z := V); y = V and V; y = n > 0 and V; 1 < V < 2
"""
FLOW = """
y = V if n > 0 else V; y = V if V else n; y = V if n > 0 else n; y = V if tile else V
y = V if n > 0 else None; y = (V, 1) if n > 0 else (V, 2); if V: pass
while V: n += 1; while not V: n += 1; while True: n += 1; while tl.condition(V): n += 1
v = V|while n < 3: v = n; v = V|for i in range(n): v = i; for i in V: pass
v = V|for i in range(n): v = None; for i, j in V: pass; for i in V.num: pass
for i in range(V): pass; for i in range(0, n, V): pass; for i in tl.range(V): pass
for i in tl.static_range(V): pass; for i in tl.range(n, num_stages=V): pass
for i in tl.static_range(2): y = V; v = V|if n > 0: v = wide; v = V|if n > 0: v = None
if n > 0: q = V; v = V|while n > 0: v, n = V, n - 1; assert V; assert n > 0, V; return V
"""
ENTRIES = """
V[0]; V[0:1]; V[:]; V[-1]; V[5]; V[1 << 40]; V[0, 1]; V["a"]; V[None]; V[1.5]; V[n]
V[tile]; V[V]; V[...]; V[0] = 1; V[0:1] = 1; tile[V]; tile[V, None]; x[V]; pair[V]
pair[n]; V.num; V.shape[0]; V.dtype; V.foo; V.foo(); V.num = 3; V.T; V.to(tl.float32)
V.load([0]); V.store([0], tile); V.type; y = V.type; y = V.handle; y = V.__class__
getattr(V, "foo"); getattr(V, "foo", 3); hasattr(V, "num"); getattr(V, V)
del V; a, b = V; (a, b), c = V, 1; [a, b] = V; *a, b = V; a = b = V; y = (V,)[n]
a: tl.constexpr = V; a: tl.tensor = V; [i for i in V]; [i for i in (V, V) if V]
same(*V); same(**V); y = {"a": V}; y = {V}; y = (V, V); lambda: V; raise V; yield V
with V: pass; with same(V): pass; with tlx.async_tasks(): V
"""
CALLS = """
len(V); int(V); float(V); list(V); bool(V); str(V); type(V); range(V); abs(V)
isinstance(V, tl.tensor); isinstance(V, V); min(V, 1); max(V, V); print(V)
print("a", V); y = f"{V}"; y = f"{V!r:>3}"; tl.static_print(V); tl.static_assert(V)
tl.static_assert(False, V); tl.device_print("v", V); tl.device_assert(V); tl.load(V)
tl.store(V, 1); tl.store(x, V); tl.load(x, mask=V); tl.sum(V); tl.sum(V, axis=0)
tl.where(n > 0, V, V); tl.where(V, 1, 2); tl.reduce(V, 0, combine); tl.cat(V, V)
tl.reduce((V, V), 0, combine); tl.associative_scan((V, V), 0, combine); tl.join(V, V)
tl.dot(V, V); tl.cdiv(V, 2); tl.full((V,), 0, tl.float16); tl.zeros((4,), V)
tl.arange(0, V); tl.inline_asm_elementwise("", "=r,r", [V], tl.int32, True, 1)
tl.constexpr(V); tl.tuple([V]); tl.condition(V); tl.multiple_of(V, 8); tl.cast(V, V)
tl.atomic_add(x, V); tl.broadcast_to(V, (64,)); tl.reshape(V, (64,)); tl.to_tensor(V)
tl.make_tensor_descriptor(V, [n], [1], [64]); tl.load_tensor_descriptor(V, [0])
tl.program_id(V); tl.assume(V); tl.debug_barrier(V); tl.extra.cuda.libdevice.sin(V)
tl.math.exp(V); tl.rand(V, 1); tl.rand(1, V); tile.to(V); tile.sum(V); tile.reshape(V)
tl.pointer_type(V); tl.dtype(V); tl.block_type(tl.float16, V); y = tl.static_range(V)
tl.load(V, nothing=1); tl.sum(); y = same(V); y = constant(V); away(V); plain(V)
y = either(V, V, n > 0); y = either(V, n, n > 0); same(V, V); same(q=V); same()
tlx.async_task("default"); y = tlx.async_tasks(); with tlx.thread_id(0): pass
tlx.local_load(V); tlx.foo(V); foo(V)
"""
# Names of classes, reprs and IR that a user does not know.
INSIDE = r"<class|!tlx|!tt|object at|0x[0-9a-f]{6}|_tensor_type|\bconstexpr\[|Error\("
SIGNATURE = {"x": "*fp16", "d": "tensordesc<fp16[64]>"}


def statements(text):
    return [part.strip() for line in text.splitlines() for part in line.split("; ")]


@pytest.fixture
def kernel(tmp_path):
    def make(text):
        path = tmp_path / "kernel.py"
        body = "".join(f"    {line}\n" for line in text.split("|"))
        path.write_text(PREAMBLE + body)
        spec = importlib.util.spec_from_file_location("kernel", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.kernel

    return make


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize(
    "text",
    [OPERATORS, FLOW, ENTRIES, CALLS],
    ids=["operators", "flow", "entries", "calls"],
)
def test_anywhere(kernel, tlxir, text, value):
    for statement in filter(None, statements(text)):
        line = re.sub(r"\bV\b", value, statement)
        try:
            function = kernel(line)
        except SyntaxError:
            # `del ring[0]` and the like are no Python for some values.
            continue
        error = outcome(function, tlxir)
        if error is not None:
            assert isinstance(error, TLXError), f"{line}: {error!r}"
            assert not isinstance(error, InternalError), f"{line}: {error}"
            assert error.location is not None, line
            assert error.location.file.endswith("kernel.py"), f"{line}: {error}"
            assert "\n" not in error.headline, line
            assert not re.search(INSIDE, error.headline), f"{line}: {error.headline}"


def outcome(kernel, tlxir):
    try:
        tlxir(kernel, SIGNATURE)
    except Exception as error:
        return error
    return None
