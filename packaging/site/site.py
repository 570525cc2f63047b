#!/usr/bin/env python3
"""Makes a static site of this repository's Markdown, with MkDocs and its theme Material, as Debian packages them.

usage: site.py MEMCITY FOLDER    (writes FOLDER; nothing in it asks another server)

README.md, the docs and the examples are pages in folders as they lie here, so that links between them hold; whatever else they
link comes along as a file. A leak to walk through (memcity page) is embedded in the first page.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!\\)(\]\()([^)\s]+)(\))")
FENCE = re.compile(r"^\s*(```|~~~)")
ITEM = re.compile(r"^(?:[-*+]|\d+\.) ")
SAMPLE = REPOSITORY / "examples/web-app/before.mct"
EMBEDDED = """
<figure class="sample"><iframe src="sample.html" title="A leak to walk through"></iframe>
<figcaption>The heap of a web shop that leaks sessions, to walk through: <a href="sample.html">whole page</a>,
<a href="examples/web-app/index.html">its story</a></figcaption></figure>
"""
CONFIG = """site_name: memcity
docs_dir: pages
site_dir: site
use_directory_urls: false
theme:
  name: material
  language: en
  font: false
  logo: memcity.svg
  favicon: memcity.svg
  features: [navigation.indexes, navigation.top]
  palette:
    - {media: "(prefers-color-scheme: light)", scheme: default, primary: blue grey, accent: deep orange,
       toggle: {icon: material/weather-night, name: Dark}}
    - {media: "(prefers-color-scheme: dark)", scheme: slate, primary: blue grey, accent: deep orange,
       toggle: {icon: material/weather-sunny, name: Light}}
extra: {generator: false}
extra_css: [site.css]
extra_javascript: [site.js]
plugins: [search]
markdown_extensions:
  - tables
  - sane_lists
  - md_in_html
  - pymdownx.superfences
  - pymdownx.highlight
  - toc:
      permalink: true
      slugify: !!python/name:slugs.slugify
"""
# The anchors that GitHub gives to headings, which links in the documents are made for.
SLUGS = '''import re
def slugify(text, separator):
    return re.sub(r"[^\\w\\- ]", "", text.strip().lower()).replace(" ", separator)
'''


def rewrite(page, found):
    """A document as Python-Markdown reads it; notes the files that it links."""
    lines, in_fence, before = [], False, ""
    for line in page.read_text(encoding="utf-8").split("\n"):
        if FENCE.match(line):
            in_fence = not in_fence
        elif not in_fence:
            # A list may follow a paragraph with no line between them.
            if ITEM.match(line) and before.strip() and not ITEM.match(before) and not before.startswith(" "):
                lines.append("")
            line = LINK.sub(lambda match: match[1] + resolve(page, match[2], found) + match[3], line)
        lines.append(line)
        before = line
    return "\n".join(lines)


def resolve(page, target, found):
    if re.match(r"[a-z]+:|#", target):
        return target
    path, _, anchor = target.partition("#")
    file = pathlib.Path(os.path.normpath(page.parent / path))
    if file.is_dir():
        # A folder has no page; what says what is in it is the nearest there is.
        file = file / "README.md" if (file / "README.md").exists() else REPOSITORY / "README.md"
    found.add(file)
    return os.path.relpath(file, page.parent) + (f"#{anchor}" if anchor else "")


def title(page):
    match = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.M)
    return match[1].strip() if match else page.stem


def navigation(pages):
    """Tasks first, in the order in which the index names them; then examples, the reference and what developers need."""
    docs = REPOSITORY / "docs"
    index = (docs / "README.md").read_text(encoding="utf-8")
    order = [os.path.normpath(docs / match[2].partition("#")[0]) for match in LINK.finditer(index)]

    def place(page):
        return (order.index(str(page)) if str(page) in order else len(order), str(page))

    def rows(chosen, indent):
        return [f"{indent}- {quote(title(page))}: {page.relative_to(REPOSITORY)}" for page in sorted(chosen, key=place)]

    lines = ["nav:", "  - memcity: README.md", "  - All documents: docs/README.md"]
    lines += rows([page for page in pages if page.parent == docs and page.name != "README.md"], "  ")
    for name, folder in (("Examples", "examples"), ("Reference", "docs/reference"), ("For developers", "docs/developing")):
        chosen = [page for page in pages if (REPOSITORY / folder) in page.parents]
        lines += [f"  - {name}:"] + rows(chosen, "    ") if chosen else []
    return "\n".join(lines + ["  - Changes: CHANGELOG.md"]) + "\n"


def quote(text):
    return '"' + text.replace("`", "").replace("\\", "").replace('"', "'") + '"'


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: site.py MEMCITY FOLDER")
    memcity, output = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        listed = sorted([REPOSITORY / "README.md", REPOSITORY / "CHANGELOG.md", *(REPOSITORY / "docs").rglob("*.md"),
                         *(REPOSITORY / "examples").rglob("*.md")])
        rest, done = list(listed), set()
        while rest:
            file = rest.pop()
            if file in done or REPOSITORY not in file.parents:
                continue
            done.add(file)
            to = work / "pages" / file.relative_to(REPOSITORY)
            to.parent.mkdir(parents=True, exist_ok=True)
            if file.suffix == ".md":
                found = set()
                text = rewrite(file, found)
                if file == REPOSITORY / "README.md":
                    text = re.sub(r"(?m)^(!\[.*\n)", lambda match: match[1] + EMBEDDED, text, count=1)
                to.write_text(text, encoding="utf-8")
                rest += found
            else:
                shutil.copyfile(file, to)
        shutil.copyfile(REPOSITORY / "packaging/memcity.svg", work / "pages/memcity.svg")
        for name in ("site.css", "site.js"):
            shutil.copyfile(REPOSITORY / "packaging/site" / name, work / "pages" / name)
        subprocess.run([memcity, "page", SAMPLE, "-o", work / "pages/sample.html"], check=True, stderr=subprocess.DEVNULL)
        (work / "slugs.py").write_text(SLUGS, encoding="utf-8")
        (work / "mkdocs.yml").write_text(CONFIG + navigation(listed), encoding="utf-8")
        done = subprocess.run(["mkdocs", "build", "--strict", "--quiet"], cwd=work, check=False,
                              env={**os.environ, "PYTHONPATH": str(work)}, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout[-3000:] + done.stderr[-3000:])
        shutil.rmtree(output, ignore_errors=True)
        shutil.copytree(work / "site", output)
    print(f"{output}/index.html")


main()
