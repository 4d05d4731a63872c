# SPDX-License-Identifier: MIT
"""Build the TLX wheel: CMake builds the C++, setuptools packs the Python."""

import shutil

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py


class FreshBuildPy(build_py):
    """Start from an empty folder, so that no deleted module is packed."""

    def run(self) -> None:
        """Remove what an earlier build left behind, then copy the modules."""
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


setup(
    # Triton owns triton/language/extra; only our folder in it is packed.
    packages=[
        *find_packages("python", include=["tlx", "tlx.*"]),
        "triton.language.extra.tlx",
    ],
    package_dir={"": "python"},
    cmake_source_dir=".",
    cmdclass={"build_py": FreshBuildPy},
)
