#!/usr/bin/env python3
"""Documents name only what exists: links and their anchors, files and folders of this repository. Sources name only
documents that exist.

usage: paths.py [FOLDER]   (the repository; prints what is wrong, exit code 1 if there is anything)
"""
import pathlib
import re
import sys

# Folders that a path in a document may begin with; what else has a slash is somebody else's, or an example.
TOP = ("agent", "app", "bench", "docs", "engine", "examples", "packaging", "shaders", "tests", "third_party")
SOURCE = re.compile(r"[\w-]+\.(?:c|h|cpp|sh|py|mjs|java|cmake|comp|vert|frag|glsl)")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`([^`\n]+)`", re.S)
DOCUMENT = re.compile(r"\bdocs/[\w/-]+\.(?:md|png)\b")
MADE = re.compile(r"bench/out\b")  # by a run


def documents(top):
    for path in [*top.glob("*.md"), *top.glob("*/*.md"), *top.glob("docs/**/*.md"), *top.glob("examples/*/*.md"),
                 *top.glob("tests/data/**/*.md")]:
        if path.is_file() and "node_modules" not in path.parts:
            yield path


def anchors(path):
    """The names by which a document's headings are linked, as GitHub makes them."""
    found, seen = set(), {}
    for line in re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S).splitlines():
        heading = re.match(r"#+\s+(.*)", line)
        if not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        count = seen[slug] = seen.get(slug, -1) + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found


def sources(top):
    for folder in (*TOP, "page"):
        for path in (top / folder).rglob("*"):
            if path.suffix in (".c", ".h", ".cpp", ".sh", ".py", ".java", ".js", ".cmake", ".txt", ".sbatch") and path.is_file():
                if "data" not in path.parts and "node_modules" not in path.parts:
                    yield path


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    names = {path.name for folder in (*TOP, "page") for path in (top / folder).rglob("*") if "node_modules" not in path.parts}
    wrong, found = [], 0
    for document in sorted(set(documents(top))):
        text = document.read_text(encoding="utf-8")
        where = document.relative_to(top)
        here = document.parent
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            found += 1
            file, _, anchor = target.partition("#")
            linked = here / file if file else document
            if not linked.exists():
                wrong.append(f"{where} links {target}, which is not there")
            elif anchor and linked.suffix == ".md" and anchor not in anchors(linked):
                wrong.append(f"{where} links {target}, but there is no such heading")
        for match in CODE.finditer(text):
            for word in re.split(r"[\s,;()]+", match[1] or match[0]):
                word = re.sub(r":\d+$", "", word.strip("`'\"."))
                if re.match(r"(?:%s)/" % "|".join(TOP), word) and not MADE.match(word):
                    found += 1
                    # {a,b} was split at its comma; a pattern stands for at least one file
                    pattern = re.sub(r"\{.*", "*", re.sub(r"<\w+>|NAME|SUBJECT|DATE-SET-COMMIT", "*", word)).rstrip("/")
                    if not any(folder.glob(pattern) and any(folder.glob(pattern)) for folder in (top, here)):
                        wrong.append(f"{where} names {word}, which is not there")
                elif SOURCE.fullmatch(word):
                    found += 1
                    if word not in names:
                        wrong.append(f"{where} names {word}, which is nowhere")
    for source in sources(top):
        for name in DOCUMENT.findall(source.read_text(encoding="utf-8", errors="replace")):
            found += 1
            if not (top / name).exists():
                wrong.append(f"{source.relative_to(top)} names {name}, which is not there")
    index = (top / "docs/README.md").read_text(encoding="utf-8") if (top / "docs/README.md").exists() else ""
    for page in top.glob("docs/**/*.md"):
        if page.name != "README.md" and f"({page.relative_to(top / 'docs')})" not in index:
            wrong.append(f"docs/README.md does not list {page.relative_to(top)}")
    if found < 50:
        wrong.append(f"only {found} paths found in the documents")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main())
