# SPDX-License-Identifier: MIT
"""What of this package decides how a kernel is compiled, as one hash."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path

import tlx
from tlx.backend import names, stock_passes


def _files(package: Path) -> Iterator[tuple[str, Path]]:
    """Yields our Python sources and the extension, each with a name, in order."""
    roots = {"": package}
    # `rglob` does not follow the link that a source checkout has here.
    if (package / "backend").is_symlink():
        roots["backend/"] = (package / "backend").resolve()
    for prefix, root in roots.items():
        for path in sorted(root.rglob("*.py")):
            yield f"{prefix}{path.relative_to(root).as_posix()}", path
    for path in sorted(package.glob("_ext*.so")):
        yield path.name, path


def compute(package: Path, version: str) -> str:
    """Hashes a package folder, its version, the pass list and Triton's version.

    Args:
        package: Folder of the package `tlx`.
        version: Version of the package.
    """
    digest = hashlib.sha256()
    digest.update(f"{version}\n{names.TRITON_VERSION}\n".encode())
    digest.update(stock_passes.fingerprint().encode())
    for name, path in _files(package):
        digest.update(f"\n{name}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@functools.cache
def package_digest() -> str:
    """Returns the hash of the package in use, computed once per process."""
    return compute(Path(tlx.__file__).parent, tlx.__version__)
