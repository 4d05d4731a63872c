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


