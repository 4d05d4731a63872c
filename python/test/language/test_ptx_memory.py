def test_entries_of_a_buffer(ptx):
    @triton.jit
    def kernel(d, i, x):
        tiles = tlx.local_alloc((4, 64, 64), tl.float16, 1)[0]
        bar = tlx.alloc_barriers(1)
        tlx.async_descriptor_load(d, tiles[i], [0, 0], bar)
        acc = tlx.async_dot_wait(0, tlx.async_dot(tiles[1], tiles[3]))
        offs = tl.arange(0, 64)
        tl.store(x + offs[:, None] * 64 + offs[None, :], acc)
        tl.store(
            x + 4096 + offs,
            tlx.local_load(tlx.local_alloc((4, 64), tl.float32, 1)[0][i]),
        )

    signature = {"d": "tensordesc<fp16[64, 64]>", "i": "i32", "x": "*fp32"}
    text = ptx(kernel, signature)
    # 64 rows of 128 bytes, 64 words of 4 bytes.
    assert re.search(r"shl\.b32 \s*%r\d+, %r\d+, 13;", text)
    assert re.search(r"shl\.b32 \s*%r\d+, %r\d+, 8;", text)
    assert text.count("wgmma.mma_async") == 4


@triton.jit
def tall(d, i, M: tl.constexpr, N: tl.constexpr):
    tile = tlx.local_alloc((M, N), tl.float16, 1)[0]
    bar = tlx.alloc_barriers(1)
    tlx.async_descriptor_prefetch_tensor(d, [i, 0])
    tlx.async_descriptor_load(d, tile, [i, 0], bar)
    tlx.async_descriptor_store(d, tile, [i, 0])


@pytest.mark.parametrize(
    ("m", "n", "rows", "columns"),
    [(512, 64, 256, 0), (4, 512, 0, 256), (256, 64, 0, 0)],
)
def test_tiles_of_more_than_256(m, n, rows, columns, compiled):
    # Triton copies them in several messages, which one warp issues here.
    signature = {"d": f"tensordesc<fp16[{m}, {n}]>", "i": "i32"}
    kernel = compiled(tall, signature, {"M": m, "N": n}, num_warps=1)
    text = kernel.asm["ptx"]
    expected = 2 if rows or columns else 1
    for copy in (
        r"tensor\.2d\.shared::\w+\.global",
        r"tensor\.2d\.global",
        r"prefetch\.tensor\.2d\.L2\.global",
    ):
        pattern = rf"cp\.async\.bulk\.{copy}.*\{{(\S+), (\S+)\}}"
        copies = re.findall(pattern, text)
        assert len(copies) == len(set(copies)) == expected
    # So the host makes descriptors of smaller tiles.
    assert kernel.metadata.tensordesc_meta[0]["block_size"] == [
        rows or m,
        columns or n,
    ]
    # The second message starts behind the first one, in both memories.
    for step in [rows or columns, m * n] if expected == 2 else []:
        assert re.search(rf"\b{step}\b", text)
