"""Compiles the hottest loops while a wheel is built: each module of `MODULES`, from a source of Cython or of Python.

Where that fails (no compiler, a system that nobody tried) the wheel holds Python alone, which does the same work,
slower. An editable install gets the modules into its source folder. THRAWL_PURE=1 builds without them.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The compiled modules and their sources, from `src` on. Those in Python are compiled with the types of a .pxd file.
MODULES = {
    "thrawl/page/_flat": "thrawl/page/_flat.pyx",
    "thrawl/page/_walks": "thrawl/page/_walks.pyx",
    "thrawl/refresh/_decay": "thrawl/refresh/decay.py",
    "thrawl/refresh/_heads": "thrawl/refresh/heads.py",
}


class CompileHook(BuildHookInterface[Any]):
    """Called by hatchling; pyproject.toml names this file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or os.environ.get("THRAWL_PURE"):
            return
        self._folder = Path(tempfile.mkdtemp())
        try:
            built = compiled(Path(self.root), self._folder)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - compilers fail in many ways, none worth an install
            self.app.display_warning(f"thrawl is installed without its compiled part, and is slower: {problem}")
            return
        for place, module in built.items():
            if version == "editable":
                fresh = Path(self.root, "src", place).with_suffix(".new")
                shutil.copyfile(module, fresh)
                fresh.replace(Path(self.root, "src", place))  # whoever runs with the old one keeps it
            else:
                build_data["pure_python"] = False
                build_data["infer_tag"] = True
                build_data["force_include"][str(module)] = str(place)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(getattr(self, "_folder", ""), ignore_errors=True)


def compiled(root: Path, folder: Path) -> dict[Path, Path]:
    """The compiled modules in a folder of their own, by their places in the package."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    flags = [] if sys.platform == "win32" else ["-O3", "-g0"]
    extensions = [
        Extension(module.replace("/", "."), [str(root / "src" / source)], extra_compile_args=flags)
        for module, source in MODULES.items()
    ]
    modules = cythonize(extensions, build_dir=str(folder), quiet=True, compiler_directives={"annotation_typing": False})
    command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "temp")
    command.ensure_finalized()
    command.run()
    found = [next((folder / "lib").glob(f"{module}.*")) for module in MODULES]
    return {path.relative_to(folder / "lib"): path for path in found}
