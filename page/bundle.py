"""Makes the viewer of a page one piece: modules in the order in which they need each other, shaders with what they
include, without comments, as C arrays.

usage: bundle.py REPOSITORY OUTPUT.inc
"""
import base64
import hashlib
import pathlib
import re
import sys

# What each kind of page begins with, and how large its viewer may be.
MOST_BYTES = {"embedded": 70_000, "served": 73_000}
INCLUDE = re.compile(r'^#include "(.+)"$')
GUARD = re.compile(r"^#ifndef (MC_\w+_GLSL)\n#define \1$|^#endif\n*\Z", re.M)
IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";$')
NAME = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)")
# What only Vulkan's shaders have: bindings of theirs, and the layout of C's structs.
LEFT_OUT = ("shaders/shared/",)


# A text or a pattern stays as it is; then comments, words, and all else, sign by sign.
TOKEN = re.compile(r"""(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=[(,=:\[!&|?] )/(?:\\.|\[[^\]]*\]|[^/\\\n])+/\w*"""
                   r"""|(?<=\()/(?:\\.|\[[^\]]*\]|[^/\\\n])+/\w*)|(?P<comment>//[^\n]*|/\*.*?\*/)"""
                   r"""|(?P<word>[\w$]+)|(?P<space>\s+)|(?P<sign>.)""", re.S)
DECLARED = re.compile(r"\b(?:const|let) (\w+)|\b(?:const|let) \[([^\]=]+)\]|function\*? (\w+)(?:\(([^(){}]*))?|\(?([\w, ]+)\)? =>")

# Properties of our own that nobody reads from outside: each is one word wherever it stands.
OURS = set("""buildingCount buildingFrom buildingsBelow centerX centerY chartRoot childCount districtCount firstChild frameAsked
  fullHeight hitIndex isDirty isOverDirty isHome isBird isFine isDistrict lastAnew lastLight lit lastCount lastMs lowerNames nameBytes nameStarts
  districts drawing playing flight forward vertexArray stepBegun axes tops targets textures marked covered holders links largest stepCount focal stretch node count model
  before begun boxes early fence frame front buffers growth isHidden level matrix named order program readOther room selectAround selectPart series shadows share sharpness slopes starts
  toggleBird toggleHelp togglePlay twist counts world""".split())
KEPT = {"async", "await", "true", "false", "null", "new", "of", "in", "do", "if", "as"}


def read_tokens(text):
    """Pairs of kind and text; where there is a space, it is a single one, or a line's end."""
    tokens = []
    for found in TOKEN.finditer(text):
        kind, part = found.lastgroup, found[0]
        if kind == "comment":
            continue
        if kind == "space":
            part = "\n" if "\n" in part else " "
            if tokens and tokens[-1][0] == "space":
                tokens[-1] = ("space", "\n" if "\n" in (part, tokens[-1][1]) else " ")
                continue
        tokens.append((kind, part))
    return tokens


def squeeze(tokens):
    """Without the spaces that nothing needs."""
    out = ""
    for i, (kind, part) in enumerate(tokens):
        if kind == "space":
            after = tokens[i + 1][1][0] if i + 1 < len(tokens) else ""
            before = out[-1:]
            needed = (before.isalnum() or before in "_$") and (after.isalnum() or after in "_$")
            part = " " if needed or (before and before in "+-" and before == after) else ""
        elif part == "0" and [sign for _, sign in tokens[i + 1:i + 2]] == ["."] and out[-1:] not in "._$" and not out[-1:].isalnum():
            part = ""  # of 0.5
        out += part
    return out


def join_statements(tokens):
    """What needs no semicolon has none; declarations that follow each other are one."""
    words = [i for i, (kind, _) in enumerate(tokens) if kind != "space"]
    joined, states, headers, is_header = list(tokens), ["begin"], [], False
    for at, i in enumerate(words):
        kind, part = tokens[i]
        after = tokens[words[at + 1]][1] if at + 1 < len(words) else ""
        before = tokens[words[at - 1]][1] if at > 0 else ""
        if kind == "word" and states[-1] == "begin":
            states[-1] = "let" if part == "let" else "other"
        if kind != "sign":
            continue
        if part in "([{":
            states.append("begin" if part == "{" else "inside")
            headers.append(part == "(" and before in ("for", "while", "if"))
        elif part in ")]}":
            states.pop()
            is_header = headers.pop()
            if part == "}" and states[-1] == "other":
                states[-1] = "begin"
        elif part == ";" and states[-1] != "inside":
            if after == "}" and not (before == ")" and is_header):
                joined[i] = ("space", " ")
            elif states[-1] == "let" and after == "let":
                joined[i], joined[words[at + 1]] = ("sign", ","), ("space", " ")
                tokens[words[at + 1]] = ("space", " ")
                continue
            states[-1] = "begin"
    return joined


def make_names(used):
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for first in [""] + list(letters):
        for last in letters:
            if first + last not in used | KEPT:
                yield first + last


def shorten_names(tokens, declared_as=DECLARED, kept=frozenset()):
    """Words that are declared and are nowhere a property, or could be taken for one."""
    words = [(kind, part) for kind, part in tokens if kind != "space"]
    text = "".join(part for _, part in tokens)
    counts, unsafe, around = {}, set(), []
    for i, (kind, part) in enumerate(words):
        if kind == "sign" and part in "([{":
            around.append(part)
        elif kind == "sign" and part in ")]}":
            around.pop()
        if kind != "word":
            continue
        before = words[i - 1][1] if i > 0 else ""
        is_spread = before == "." and words[i - 3:i] == [("sign", ".")] * 3
        after = words[i + 1][1] if i + 1 < len(words) else ""
        counts[part] = counts.get(part, 0) + 1
        if before == "." and not is_spread or after == ":" or around[-1:] == ["{"] and before in ("{", ",") and after in (",", "}"):
            unsafe.add(part)
    names = make_names(set(counts))
    for kind, part in words:
        if kind == "text" and part[1:-1] in OURS:
            sys.exit(f"page/: {part} is a text, and a property that is renamed")
    found = {name for match in declared_as.findall(text) for name in re.findall(r"\w+", " ".join(match) if isinstance(match, tuple) else match)}
    declared = sorted((found - unsafe | OURS) & set(counts) - KEPT - kept, key=lambda name: (-counts[name] * len(name), name))
    short = {name: next(names) for name in declared if len(name) > 2}
    return [(kind, short.get(part, part) if kind == "word" else part) for kind, part in tokens]


DECLARED_GLSL = re.compile(r"\b(?:float|vec[234]|ivec2|uint|int|bool|face|box_look|shape|light_map|struct)\s+(\w+)")
UNIFORM = re.compile(r"\buniform [^;]*;")


def shorten_numbers(text):
    return re.sub(r"(?<![\w.])0\.(?=\d)", ".", re.sub(r"\b(\d+)\.0(?!\d)", r"\1.", text))


def shorten_shaders(pieces):
    """The same names in all of them, but for those that the script knows: uniforms."""
    split, tokens = [], []
    for text in pieces:
        parts = re.split(r"^(#.*)$", re.sub(r"//.*", "", text), flags=re.M)
        split.append(parts)
        for part in parts:
            tokens += [("text", part)] if part.startswith("#") else read_tokens(part) + [("space", "\n")]
    known = set(re.findall(r"\w+", " ".join(UNIFORM.findall("\n".join(pieces))))) | {"main"}
    known |= set(re.findall(r"\w+", " ".join(part for kind, part in tokens if kind == "text")))
    tokens = iter(shorten_names(tokens, DECLARED_GLSL, known))
    out = []
    for parts in split:
        text = ""
        for part in parts:
            if part.startswith("#"):
                text += next(tokens)[1].strip() + "\n"
                continue
            own = [next(tokens) for _ in read_tokens(part)]
            next(tokens)
            if part.strip():
                text += shorten_numbers(squeeze(own).strip()) + "\n"
        out.append(text)
    return out


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
    return "".join(f"const {name}={js_string(text)};\n" for name, text in texts) + shaders


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
    # What browsers have goes by a name of ours where it is met often.
    known = "".join(f"const our{name} = {name};\n" for name in KNOWN)
    tokens = read_tokens("\n".join("\n".join(lines) for _, lines in modules))
    tokens = read_tokens(known) + [(kind, f"our{part}" if part in KNOWN and kind == "word" else part) for kind, part in tokens]
    tokens = [(kind, SHORTER.get(part, part) if kind == "word" else part) for kind, part in shorten_names(tokens)]
    return "(()=>{'use strict';\n" + read_shaders(root) + squeeze(join_statements(tokens)) + "})();\n"


KNOWN = ("Math", "Object", "Infinity", "Uint32Array", "Float64Array", "document", "Number", "performance")
SHORTER = {"const": "let", "true": "!0", "false": "!1"}


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
    style = re.sub(r"\n", "", (root / "page/page.css").read_text())
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
