"""Compiles the one module that is compiled, `thrawl.page._flat`, while a wheel is built.

Where that fails (no compiler, a system that nobody tried) the wheel holds Python alone: `thrawl.page.tree` does the
same work then, slower. An editable install gets the module into its source folder. THRAWL_PURE=1 builds without it.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULE = "thrawl.page._flat"
PLACE = Path("thrawl", "page")


class CompileHook(BuildHookInterface[Any]):
    """Called by hatchling; pyproject.toml names this file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or os.environ.get("THRAWL_PURE"):
            return
        self._folder = Path(tempfile.mkdtemp())
        try:
            built = compiled(Path(self.root), self._folder)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - compilers fail in many ways, none worth an install
            self.app.display_warning(f"thrawl is installed without its compiled part, and reads slower: {problem}")
            return
        if version == "editable":
            place = Path(self.root, "src", PLACE, built.name)
            fresh = place.with_suffix(".new")
            shutil.copyfile(built, fresh)
            fresh.replace(place)  # whoever runs with the old one keeps it
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"][str(built)] = str(PLACE / built.name)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(getattr(self, "_folder", ""), ignore_errors=True)


def compiled(root: Path, folder: Path) -> Path:
    """The compiled module, in a folder of its own."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    source = root / "src" / PLACE / "_flat.pyx"
    flags = [] if sys.platform == "win32" else ["-O3", "-g0"]
    modules = cythonize([Extension(MODULE, [str(source)], extra_compile_args=flags)], build_dir=str(folder), quiet=True)
    command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "temp")
    command.ensure_finalized()
    command.run()
    return next((folder / "lib" / PLACE).glob("_flat.*"))
