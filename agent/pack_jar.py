#!/usr/bin/env python3
"""Packs a folder of classes into a jar: always in the same order and with the same time, so that the same classes make the same file.

usage: pack_jar.py FOLDER FILE.jar
"""
import pathlib
import sys
import zipfile

folder, output = map(pathlib.Path, sys.argv[1:])
with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as jar:
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), (2000, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        jar.writestr(entry, path.read_bytes())
