"""Makes the viewer of a page one piece: modules in the order in which they need each other, shaders with what they
include, without comments, as C arrays.

usage: bundle.py REPOSITORY OUTPUT.inc
"""
import base64
import hashlib
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # not into the sources
from shorten import GLSL_BEGIN, shorten_script, shorten_shaders, shorten_style  # noqa: E402

# What each kind of page begins with, and how large its viewer may be.
MOST_BYTES = {"embedded": 70_000, "served": 73_000}
INCLUDE = re.compile(r'^#include "(.+)"$')
GUARD = re.compile(r"^#ifndef (MC_\w+_GLSL)\n#define \1$|^#endif\n*\Z", re.M)
IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";$')
NAME = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)")
# What only Vulkan's shaders have: bindings of theirs, and the layout of C's structs.
LEFT_OUT = ("shaders/shared/",)


def read_constants(root):
    """Numbers that C and all shaders share, by name."""
    text = "".join((root / f"shaders/shared/{name}_types.h").read_text() for name in ("city", "frame"))
    return {name: number + ("" if kind == "f" else "u") for name, number, kind in
            re.findall(r"^#define (MC_\w+) ([\d.]+)([fu])\b", text, flags=re.M)}


def read_pieces(root, path, seen, pieces):
    """A list of what a shader consists of, each file once: names of pieces, which shaders share."""
    seen.add(path)
    names, text = [], ""

    def end():
        if text.strip():
            name = f"${len(pieces)}"
            names.append(pieces.setdefault(text, name))

    # Each comes once, so nothing has to guard it.
    for line in GUARD.sub("", (root / path).read_text()).splitlines():
        found = INCLUDE.match(line)
        if not found:
            text += line + "\n"
            continue
        end()
        text = ""
        if found[1] not in seen and not found[1].startswith(LEFT_OUT):
            names += read_pieces(root, found[1], seen, pieces)
    end()
    return names


def read_shaders(root):
    pieces, shaders, constants = {}, "", read_constants(root)
    for path in sorted((root / "page").glob("*.vert")) + sorted((root / "page").glob("*.frag")):
        names = read_pieces(root, f"page/{path.name}", set(), pieces)
        shaders += f"const {path.name.replace('.', '_')}=" + "+".join(names) + ";\n"
    texts = [re.sub(r"\bMC_\w+", lambda found: constants.get(found[0], found[0]), text) for text in pieces]
    texts = zip(pieces.values(), shorten_shaders(texts))
    texts = [(name, text) for name, text in texts if text]
    for name in set(pieces.values()) - {name for name, _ in texts}:
        shaders = re.sub(rf"(?<==){re.escape(name)}\+|\+{re.escape(name)}(?=[+;])", "", shaders)
    begin = f"const SHADER_BEGIN={js_string(GLSL_BEGIN)};\n"
    return begin + "".join(f"const {name}={js_string(text)};\n" for name, text in texts) + shaders


def order(root, name, done, modules):
    if name in done:
        return
    done.add(name)
    lines = (root / "page" / f"{name}.js").read_text().splitlines()
    for line in lines:
        if found := IMPORT.match(line):
            order(root, found[1], done, modules)
    kept = [re.sub(r"^export ", "", line) for line in lines if not IMPORT.match(line)]
    modules.append((name, kept))


def read_script(root, entry):
    modules = []
    order(root, entry, set(), modules)
    owner = {}
    for name, lines in modules:
        for line in lines:
            if (found := NAME.match(line)) and owner.setdefault(found[1], name) != name:
                sys.exit(f"page/{name}.js: {found[1]} is a name of page/{owner[found[1]]}.js, too")
    script = shorten_script("\n".join("\n".join(lines) for _, lines in modules))
    return "(()=>{'use strict';\n" + read_shaders(root) + script + "})();\n"


def js_string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def write_array(out, name, text):
    data = text.encode()
    out.write(f"static const unsigned char {name}[] = {{\n")
    for i in range(0, len(data), 32):
        out.write(",".join(str(b) for b in data[i:i + 32]) + ",\n")
    out.write("};\n")


def check(entry, parts):
    size = sum(len(text.encode()) for text in parts)
    if size > MOST_BYTES[entry]:
        sys.exit(f"page/{entry}.js: the viewer takes {size} bytes, of at most {MOST_BYTES[entry]}")
    return size


def main():
    root, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    scripts = {entry: read_script(root, entry) for entry in MOST_BYTES}
    style = shorten_style((root / "page/page.css").read_text())
    before, body = (root / "page/page.html").read_text().split("<!-- STYLE -->\n")
    # Nothing runs and nothing is fetched but what stands in the page.
    policies = {entry: f"default-src 'none';script-src {digest(script)};style-src {digest(style)};base-uri 'none';form-action 'none'"
                for entry, script in scripts.items()}
    # A served page is told its policy beside it, since that names the server.
    served_before = re.sub(r"<meta http-equiv=Content-Security-Policy.*\n", "", before)
    served_body = body.replace(" It asks for nothing from the network.", "")
    if served_before == before or served_body == body:
        sys.exit("page/page.html: where is the policy, and what is asked for?")
    before = before.replace("POLICY", policies["embedded"])
    size = check("embedded", (scripts["embedded"], style, before, body))
    served_size = check("served", (scripts["served"], style, served_before, served_body))
    if any("</script" in script for script in scripts.values()) or "</style" in style:
        sys.exit("page/: something ends its own element")
    with output.open("w") as out:
        out.write(f"// The viewer of page/, {size} bytes; of a page that is served, {served_size}.\n")
        for name, text in (("page_before", before), ("page_style", style), ("page_body", body), ("page_script", scripts["embedded"]),
                           ("served_before", served_before), ("served_body", served_body), ("served_script", scripts["served"]),
                           ("served_policy", policies["served"])):
            write_array(out, name, text)


main()
