# SPDX-License-Identifier: MIT
"""Measures on a Hopper GPU what the simulator's cost model is made of.

Needs an NVIDIA driver and Python, nothing else: the kernels are PTX and the driver
compiles them. Prints one line per figure, in cycles of the multiprocessor's clock.
`python/tlx/simulator/code/cost.py` has the constants that were chosen from it.

    python benchmarks/simulator_costs.py
"""

from __future__ import annotations

import ctypes
import statistics

HEADER = ".version 8.0\n.target sm_90a\n.address_size 64\n"
HOPS = 512
TILE = 16384
SLOTS = 8
WGMMAS = 256
MIB = 1 << 20


class Gpu:
    """The first GPU, through the driver's C functions."""

    def __init__(self) -> None:
        self._lib = ctypes.CDLL("libcuda.so.1")
        self._call("cuInit", 0)
        device = ctypes.c_int()
        self._call("cuDeviceGet", ctypes.byref(device), 0)
        name = ctypes.create_string_buffer(64)
        self._call("cuDeviceGetName", name, 64, device)
        self.name = name.value.decode()
        count = ctypes.c_int()
        self._call("cuDeviceGetAttribute", ctypes.byref(count), 16, device)
        self.multiprocessors = count.value
        context = ctypes.c_void_p()
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._call("cuCtxSetCurrent", context)

    def _call(self, name: str, *args: object) -> None:
        code = getattr(self._lib, name)(*args)
        if code:
            raise SystemExit(f"{name} failed with CUDA error {code}")

    def allocate(self, size: int) -> int:
        """Allocates zeroed bytes."""
        pointer = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        address = ctypes.c_uint64(pointer.value)
        self._call("cuMemsetD8_v2", address, 0, ctypes.c_size_t(size))
        return pointer.value

    def upload(self, address: int, values: ctypes.Array) -> None:
        """Copies an array to the GPU."""
        size = ctypes.c_size_t(ctypes.sizeof(values))
        self._call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), values, size)

    def load(self, body: str, name: str) -> ctypes.c_void_p:
        """Compiles a kernel."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        text = (HEADER + body).encode()
        self._call("cuModuleLoadData", ctypes.byref(module), text)
        self._call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        self._call("cuFuncSetAttribute", function, 8, 200 * 1024)
        return function

    def run(
        self,
        kernel: ctypes.c_void_p,
        out: int,
        args: list[int],
        blocks: int = 1,
        threads: int = 32,
    ) -> list[int]:
        """Runs a kernel; returns one number per block."""
        values = [ctypes.c_uint64(v) for v in (out, *args)]
        pointers = (ctypes.c_void_p * len(values))(
            *[ctypes.addressof(v) for v in values]
        )
        size = 200 * 1024
        grid = (blocks, 1, 1, threads, 1, 1)
        self._call("cuLaunchKernel", kernel, *grid, size, None, pointers, None)
        self._call("cuCtxSynchronize")
        numbers = (ctypes.c_int64 * blocks)()
        count = ctypes.c_size_t(8 * blocks)
        self._call("cuMemcpyDtoH_v2", numbers, ctypes.c_uint64(out), count)
        return list(numbers)


def kernel(name: str, params: str, declarations: str, body: str) -> str:
    """Frames a body that leaves a number in %result for the first thread to store."""
    return f"""
.extern .shared .align 1024 .b8 pool[];
.visible .entry {name}(.param .u64 out{params}) {{
.reg .pred %p, %q;
.reg .b32 %tx, %cta, %i, %t, %n, %base, %bar, %slot, %parity;
.reg .b64 %a, %to, %start, %end, %result, %offset;
{declarations}
ld.param.u64 %to, [out];
mov.u32 %tx, %tid.x;
mov.u32 %cta, %ctaid.x;
mov.u32 %base, pool;
{body}
setp.ne.u32 %p, %tx, 0;
@%p ret;
mad.wide.u32 %to, %cta, 8, %to;
st.global.u64 [%to], %result;
ret;
}}
"""


def chase(space: str) -> str:
    """Follows pointers: each load waits for the one before."""
    shared = space == "shared"
    load = "ld.shared.u64 %a, [%a];" if shared else "ld.global.cg.u64 %a, [%a];"
    setup = ""
    if shared:
        # Place i holds the address of place i + 1.
        setup = """
cvt.u64.u32 %a, %base;
mov.u32 %i, 0;
fill:
add.u32 %t, %base, %i;
add.u32 %n, %t, 64;
cvt.u64.u32 %offset, %n;
st.shared.u64 [%t], %offset;
add.u32 %i, %i, 64;
setp.lt.u32 %p, %i, 65536;
@%p bra fill;
bar.sync 0;"""
    else:
        setup = "ld.param.u64 %a, [first];"
    body = f"""{setup}
mov.u32 %i, 0;
mov.u64 %start, %clock64;
next:
{load}
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, {HOPS};
@%p bra next;
add.u64 %offset, %a, 0;
mov.u64 %end, %clock64;
sub.u64 %result, %end, %start;
min.u64 %offset, %offset, 1;
sub.u64 %result, %result, %offset;"""
    return kernel("chase", "" if shared else ", .param .u64 first", "", body)


WAIT = """
{label}:
mbarrier.try_wait.parity.shared::cta.b64 %q, [{bar}], {parity};
@!%q bra {label};"""


def copies(tiles: int) -> str:
    """Streams tiles to shared memory with bulk copies, `SLOTS` in flight."""
    init = "".join(
        f"mbarrier.init.shared::cta.b64 [%base+{196608 + 8 * s}], 1;\n"
        for s in range(SLOTS)
    )
    fetch = f"""
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], {TILE};
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
[%t], [%a], {TILE}, [%bar];
add.u64 %a, %a, {TILE};"""
    address = f"""
rem.u32 %slot, %i, {SLOTS};
mad.lo.u32 %t, %slot, {TILE}, %base;
mad.lo.u32 %bar, %slot, 8, %base;
add.u32 %bar, %bar, 196608;"""
    body = f"""
ld.param.u64 %a, [source];
ld.param.u64 %offset, [share];
mul.wide.u32 %start, %cta, 1;
mad.lo.u64 %a, %start, %offset, %a;
setp.ne.u32 %p, %tx, 0;
@%p bra done;
{init}
fence.mbarrier_init.release.cluster;
fence.proxy.async;
mov.u64 %start, %clock64;
mov.u32 %i, 0;
first:{address}{fetch}
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, {min(SLOTS, tiles)};
@%p bra first;
mov.u32 %i, 0;
again:{address}
div.u32 %parity, %i, {SLOTS};
and.b32 %parity, %parity, 1;{WAIT.format(label="spin", bar="%bar", parity="%parity")}
add.u32 %n, %i, {SLOTS};
setp.ge.u32 %p, %n, {tiles};
@%p bra skip;{fetch}
skip:
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, {tiles};
@%p bra again;
mov.u64 %end, %clock64;
sub.u64 %result, %end, %start;
done:"""
    return kernel("copies", ", .param .u64 source, .param .u64 share", "", body)


def hand_over() -> str:
    """Two warps hand over to each other through two mbarriers."""
    first = WAIT.format(label="one", bar="%t", parity="%parity")
    second = WAIT.format(label="two", bar="%t", parity="%parity")
    body = f"""
add.u32 %t, %base, 0;
add.u32 %n, %base, 64;
setp.ne.u32 %p, %tx, 0;
@%p bra made;
mbarrier.init.shared::cta.b64 [%t], 1;
mbarrier.init.shared::cta.b64 [%n], 1;
made:
bar.sync 0;
setp.ge.u32 %p, %tx, 32;
@%p mov.u32 %t, %n;
@%p mov.u32 %n, %base;
mov.u32 %i, 0;
mov.u64 %start, %clock64;
@%p bra second;
again:
and.b32 %parity, %i, 1;
and.b32 %slot, %tx, 31;
setp.eq.u32 %p, %slot, 0;
@%p mbarrier.arrive.shared::cta.b64 _, [%n];{first}
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, {HOPS};
@%p bra again;
bra done;
second:
and.b32 %parity, %i, 1;{second}
and.b32 %slot, %tx, 31;
setp.eq.u32 %p, %slot, 0;
@%p mbarrier.arrive.shared::cta.b64 _, [%n];
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, {HOPS};
@%p bra second;
done:
mov.u64 %end, %clock64;
sub.u64 %result, %end, %start;"""
    return kernel("hand_over", "", "", body)


def alone() -> str:
    """One warp arrives on an mbarrier and waits for the phase that this ends."""
    wait = WAIT.format(label="spin", bar="%base", parity="%parity")
    body = f"""
setp.ne.u32 %p, %tx, 0;
@%p bra done;
mbarrier.init.shared::cta.b64 [%base], 1;
mov.u32 %i, 0;
mov.u64 %start, %clock64;
again:
and.b32 %parity, %i, 1;
mbarrier.arrive.shared::cta.b64 _, [%base];{wait}
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, {HOPS};
@%p bra again;
mov.u64 %end, %clock64;
sub.u64 %result, %end, %start;
done:"""
    return kernel("alone", "", "", body)


def named() -> str:
    """All warps meet at a named barrier."""
    body = f"""
mov.u32 %i, 0;
mov.u64 %start, %clock64;
again:
bar.sync 1, 256;
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, {HOPS};
@%p bra again;
mov.u64 %end, %clock64;
sub.u64 %result, %end, %start;"""
    return kernel("named", "", "", body)


def products(count: int) -> str:
    """Runs `wgmma` m64n256k16 of fp16 from shared memory, one after the other."""
    registers = ", ".join(f"%f{i}" for i in range(128))
    zero = "".join(f"mov.f32 %f{i}, 0f00000000;\n" for i in range(128))
    used = "".join(f"add.f32 %f0, %f0, %f{i};\n" for i in range(1, 128))
    product = f"""
wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16
{{{registers}}}, %da, %db, 1, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned;"""
    body = f"""
{zero}
shr.u32 %t, %base, 4;
and.b32 %t, %t, 16383;
cvt.u64.u32 %da, %t;
or.b64 %da, %da, 0x4000004000010000;
add.u64 %db, %da, 1024;
bar.sync 0;
mov.u32 %i, 0;
mov.u64 %start, %clock64;
wgmma.fence.sync.aligned;
again:{product}
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, {count};
@%p bra again;
wgmma.wait_group.sync.aligned 0;
mov.u64 %end, %clock64;
sub.u64 %result, %end, %start;
{used}
setp.eq.f32 %p, %f0, 0f3F800000;
@%p add.u64 %result, %result, 1;
bar.sync 0;"""
    return kernel("products", "", ".reg .f32 %f<128>;\n.reg .b64 %da, %db;", body)


def arithmetic(op: str) -> str:
    """Runs eight chains of an operation per thread.

    Counts from the first warp's start to the last warp's end: schedulers prefer one.
    """
    chains = "".join(f"{op.format(r=f'%f{i}')}\n" for i in range(8))
    start = "".join(
        f"add.u32 %t, %tx, {i};\ncvt.rn.f32.u32 %f{i}, %t;\n" for i in range(8)
    )
    used = "".join(f"add.f32 %f0, %f0, %f{i};\n" for i in range(1, 8))
    body = f"""
mov.u64 %a, -1;
mov.u64 %offset, 0;
st.shared.u64 [%base], %a;
st.shared.u64 [%base+8], %offset;
{start}
bar.sync 0;
mov.u32 %i, 0;
mov.u64 %start, %clock64;
again:
{chains * 8}
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, 64;
@%p bra again;
{used}
setp.eq.f32 %p, %f0, 0f3F800000;
mov.u64 %end, %clock64;
@%p add.u64 %end, %end, 1;
red.shared.min.u64 [%base], %start;
red.shared.max.u64 [%base+8], %end;
bar.sync 0;
ld.shared.u64 %start, [%base];
ld.shared.u64 %end, [%base+8];
sub.u64 %result, %end, %start;"""
    return kernel("arithmetic", "", ".reg .f32 %f<8>;", body)


def show(name: str, value: float, unit: str) -> None:
    """Prints a figure."""
    print(f"{name:58} {value:9.1f} {unit}")


def measure_latencies(gpu: Gpu, out: int) -> None:
    """Loads and hand-overs that depend on one another."""
    for name, size in (("L2", 4 * MIB), ("device memory", 1024 * MIB)):
        address = gpu.allocate(size)
        step = size // (HOPS + 1) // 128 * 128
        for i in range(HOPS + 1):
            link = (ctypes.c_uint64 * 1)(address + (i + 1) % (HOPS + 1) * step)
            gpu.upload(address + i * step, link)
        if name == "device memory":
            gpu.allocate(256 * MIB)  # Its zeroing takes the L2.
        function = gpu.load(chase("global"), "chase")
        runs = [gpu.run(function, out, [address])[0]]
        if name == "L2":
            runs = [gpu.run(function, out, [address])[0] for _ in range(5)]
        show(f"load that hits {name}", statistics.median(runs) / HOPS, "cycles")
    function = gpu.load(chase("shared"), "chase")
    cycles = statistics.median(gpu.run(function, out, [])[0] for _ in range(5))
    show("load from shared memory", cycles / HOPS, "cycles")
    function = gpu.load(hand_over(), "hand_over")
    cycles = statistics.median(
        gpu.run(function, out, [], threads=64)[0] for _ in range(5)
    )
    show("mbarrier arrive to end of another warp's wait", cycles / HOPS / 2, "cycles")
    function = gpu.load(alone(), "alone")
    cycles = statistics.median(gpu.run(function, out, [])[0] for _ in range(5))
    show("mbarrier arrive and wait by the same warp", cycles / HOPS, "cycles")
    function = gpu.load(named(), "named")
    cycles = statistics.median(
        gpu.run(function, out, [], threads=256)[0] for _ in range(5)
    )
    show("named barrier of 8 warps", cycles / HOPS, "cycles")


def measure_copies(gpu: Gpu, out: int) -> None:
    """Bulk copies to shared memory."""
    tiles, blocks = 512, gpu.multiprocessors
    everything = gpu.allocate(blocks * tiles * TILE)
    function = gpu.load(copies(tiles), "copies")
    one = gpu.load(copies(1), "copies")
    small = gpu.allocate(tiles * TILE)
    for _ in range(2):
        cycles = statistics.median(gpu.run(one, out, [small, 0])[0] for _ in range(5))
    show(f"one bulk copy of {TILE} bytes that hits L2", cycles, "cycles")
    for name, args, count in (
        ("hits L2, all at one place", [small, 0], blocks),
        ("hits L2, all at different places", [everything, 8 * TILE], blocks),
        ("hits L2, one multiprocessor", [small, 0], 1),
        ("from device memory, all", [everything, tiles * TILE], blocks),
    ):
        gpu.run(function, out, args, blocks=count)
        runs = [
            statistics.median(gpu.run(function, out, args, blocks=count))
            for _ in range(5)
        ]
        speed = tiles * TILE / statistics.median(runs)
        show(f"bulk copies, {name}", speed, "bytes per cycle each")


def measure_arithmetic(gpu: Gpu, out: int) -> None:
    """Tensor cores and fp32 units."""
    few = gpu.load(products(1), "products")
    many = gpu.load(products(WGMMAS), "products")
    for threads in (128, 256):
        runs = [gpu.run(few, out, [], threads=threads)[0] for _ in range(5)]
        groups = threads // 128
        show(
            f"wgmma m64n256k16, start to end, {groups} at once",
            statistics.median(runs),
            "cycles",
        )
        runs = [gpu.run(many, out, [], threads=threads)[0] for _ in range(5)]
        cycles = statistics.median(runs) / WGMMAS / groups
        show(f"wgmma m64n256k16, {groups} warp groups busy", cycles, "cycles each")
        flops = 2 * 64 * 256 * 16 / cycles
        show("  that is", flops, "operations per cycle")
    for name, op in (
        ("fma", "fma.rn.f32 {r}, {r}, {r}, {r};"),
        ("ex2", "ex2.approx.f32 {r}, {r};"),
        ("lg2", "lg2.approx.f32 {r}, {r};"),
        ("sqrt", "sqrt.approx.f32 {r}, {r};"),
    ):
        function = gpu.load(arithmetic(op), "arithmetic")
        runs = [gpu.run(function, out, [], threads=1024)[0] for _ in range(5)]
        rate = 64 * 64 * 1024 / statistics.median(runs)
        show(f"{name}.f32", rate, "results per cycle")


def main() -> None:
    """Measures everything."""
    gpu = Gpu()
    print(f"{gpu.name}, {gpu.multiprocessors} multiprocessors")
    out = gpu.allocate(8 * gpu.multiprocessors)
    for measure in (measure_latencies, measure_copies, measure_arithmetic):
        measure(gpu, out)


if __name__ == "__main__":
    main()
