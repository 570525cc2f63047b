#!/usr/bin/env python3
"""Libraries are found in third_party/dependencies.cmake alone, and each of them has a row in the README beside it.

usage: dependencies.py [FOLDER]   (the repository; prints what is wrong, exit code 1 if there is anything)
"""
import pathlib
import re
import sys

FINDS = re.compile(r"^\s*(find_(?:package|program|path|library|file)|pkg_(?:check|search)_modules?|FetchContent_\w+|"
                   r"ExternalProject_Add)\s*\(\s*(\w+)", re.M | re.I)
# The project's own; a build folder has others.
CMAKE_FILES = [folder + name for folder in ("", "app/**/", "bench/**/", "engine/**/", "tests/**/", "third_party/**/")
               for name in ("CMakeLists.txt", "*.cmake")]
HERE = "third_party/dependencies.cmake"
# What the table calls them, and what belongs to the compiler or to CMake itself.
NAMES = {"IMGUI": "Dear ImGui", "PNG": "libpng", "VOLK_INCLUDE": "volk", "VULKAN_INCLUDE": "Vulkan headers",
         "SPIRV_VAL": "spirv-val", "PYTHON3": "Python"}
TOOLCHAIN = {"PkgConfig", "Threads"}


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    wrong = []
    found = []
    for path in sorted(path for pattern in CMAKE_FILES for path in top.glob(pattern)):
        name = str(path.relative_to(top))
        for match in FINDS.finditer(path.read_text(encoding="utf-8")):
            if name == HERE:
                found.append(match[2])
            else:
                wrong.append(f"{name} has {match[1]}({match[2]}): that belongs into {HERE}")
    if not found:
        wrong.append(f"{HERE} finds nothing")
    rows = [line.split("|")[1] for line in (top / "third_party/README.md").read_text(encoding="utf-8").splitlines()
            if line.startswith("| ")]
    for what in found:
        title = NAMES.get(what, what)
        if what not in TOOLCHAIN and not any(title.lower() in row.lower() for row in rows):
            wrong.append(f"third_party/README.md has no row for {title}")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main())
