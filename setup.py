"""Puts the files of the top-level folder `kind`, which is no package, into the wheel as data of `conformance`."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ASSETS = ("kind",)


class BuildWithAssets(build_py):  # type: ignore[misc]
    """Copies each folder to conformance/assets; a clone uses them where they are."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for name in ASSETS:
                to = Path(self.build_lib, "conformance", "assets", name)
                shutil.copytree(Path(__file__).parent / name, to, dirs_exist_ok=True)


setup(cmdclass={"build_py": BuildWithAssets})
