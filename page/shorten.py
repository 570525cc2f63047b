"""Shortens the viewer's scripts and shaders by their tokens, without a parser of the whole languages: spaces and
semicolons that nothing needs, and names.

What it knows of JavaScript is what page/*.js is written in: no var, no class, no label, no template text, no eval;
statements at the top level end with a semicolon, but for functions.
"""
import re
import sys

# A text or a pattern stays as it is; then comments, words, and all else, sign by sign.
TOKEN = re.compile(r"""(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=[(,=:\[!&|?] )/(?:\\.|\[[^\]]*\]|[^/\\\n])+/\w*"""
                   r"""|(?<=\()/(?:\\.|\[[^\]]*\]|[^/\\\n])+/\w*)|(?P<comment>//[^\n]*|/\*.*?\*/)"""
                   r"""|(?P<word>[\w$]+)|(?P<space>\s+)|(?P<sign>.)""", re.S)

# Properties of our own that nobody reads from outside: each is one word wherever it stands.
OURS = set("""gl buildingCount buildingFrom buildingsBelow centerX centerY chartRoot childCount districtCount firstChild frameAsked
  fullHeight hitIndex isDirty isOverDirty isHome isBird isFine isDistrict lastAnew lastLight lit lastCount lastMs lowerNames nameBytes nameStarts
  districts drawing playing flight forward vertexArray stepBegun axes tops targets textures marked covered holders links largest stepCount focal stretch node count model
  before begun boxes early fence frame front buffers growth isHidden level matrix named order program readOther room selectAround selectPart isPrinted glassBegin glassMost leading weight outline series shadows share sharpness slopes starts
  flatCanvas isRound ranked sight plane cover zoom
  toggleBird toggleHelp togglePlay twist counts world""".split())
# What browsers have, and goes by a name of ours as it is met often.
KNOWN = ("Math", "Math.max", "Math.min", "Math.abs", "Math.round", "Math.floor", "Math.hypot", "Math.sin", "Math.cos", "Math.PI",
         "Object.assign", "Infinity", "Uint8Array", "Uint32Array", "Float32Array", "Float64Array", "document", "location", "Number", "Number.isNaN",
         "performance")
# WebGL's constants, which its specification fixes; a page's test asks a browser for the same.
GL = dict(
    ACTIVE_UNIFORMS=35718, BLEND=3042, COLOR_ATTACHMENT0=36064, COLOR_BUFFER_BIT=16384, DEPTH_ATTACHMENT=36096,
    DEPTH_BUFFER_BIT=256, DEPTH_COMPONENT24=33190, DEPTH_TEST=2929, DRAW_FRAMEBUFFER=36009, ELEMENT_ARRAY_BUFFER=34963,
    FLOAT=5126, FRAGMENT_SHADER=35632, FRAMEBUFFER=36160, LINEAR=9729, LINK_STATUS=35714, NEAREST=9728,
    ONE=1, ONE_MINUS_SRC_ALPHA=771, READ_FRAMEBUFFER=36008, RENDERBUFFER=36161, R32F=33326, RED=6403, RGBA=6408, RGBA32F=34836, RGBA8=32856,
    SCISSOR_TEST=3089, SRC_COLOR=768, STATIC_DRAW=35044, SYNC_GPU_COMMANDS_COMPLETE=37143,
    TEXTURE0=33984, TEXTURE_2D=3553, TEXTURE_MAG_FILTER=10240, TEXTURE_MIN_FILTER=10241, TIMEOUT_EXPIRED=37147,
    TRIANGLES=4, UNSIGNED_SHORT=5123, VERTEX_SHADER=35633, ZERO=0)
SHORTER = {"const": "let", "true": "!0", "false": "!1"}
KEYWORDS = set("""async await break case catch const continue default do else export false finally for function if in instanceof let new null of
  return switch this throw true try typeof undefined void while""".split())
BEFORE_BLOCK = {")", ";", "{", "}", "else", "try", "catch", "finally", "do", None}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


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


# ---- names of a script


class Script:
    """Tokens without spaces: what encloses each, and what each word is: a key or a property, a name, or ("both") a
    property and a variable of the same name, as in { width }."""

    def __init__(self, tokens):
        self.kinds, self.parts = [kind for kind, _ in tokens], [part for _, part in tokens]
        self.partner = {}  # of a bracket that closes: the one that opens; and back
        self.depth, self.around, opened = [], [], []
        for i, (kind, part) in enumerate(tokens):
            if kind == "sign" and part in ")]}":
                self.partner[i] = opened.pop()
                self.partner[self.partner[i]] = i
            self.depth.append(len(opened))
            self.around.append(opened[-1] if opened else None)
            if kind == "sign" and part in "([{":
                opened.append(i)
        if opened:
            sys.exit("page/: a bracket is not closed")

    def get(self, i):
        return self.parts[i] if 0 <= i < len(self.parts) and self.kinds[i] != "text" else None

    def is_sign(self, i, signs):
        return all(self.get(i + k) == sign for k, sign in enumerate(signs))

    def is_object(self, i):
        """Whether a brace opens a literal or a pattern, not a block."""
        before = self.get(i - 1) if i > 0 else None
        is_text = i > 0 and self.kinds[i - 1] == "text"
        return self.get(i) == "{" and (is_text or not (before in BEFORE_BLOCK or before == ">" and self.get(i - 2) == "="))

    def get_role(self, i):
        part, before, after = self.parts[i], self.get(i - 1), self.get(i + 1)
        if self.kinds[i] != "word" or part[0].isdigit():
            return None
        if before == "." and not (self.is_sign(i - 3, "...")):
            return "key"
        around = self.around[i]
        if around is not None and self.is_object(around) and before in ("{", ","):
            if after == ":":
                return "key"
            if after in (",", "}", "="):
                return "both"
            if after == "(":
                sys.exit(f"page/: {part}() in an object is not understood")
        return None if part in KEYWORDS else "name"

    def skip_value(self, i):
        """To the comma or the end behind a default or an initial value."""
        while self.get(i) not in (",", ";", ")", "]", "}", "of", "in"):
            i = self.partner[i] + 1 if i in self.partner and self.kinds[i] == "sign" else i + 1
            if i >= len(self.parts):
                break
        return i

    def read_binding(self, i, found):
        """A name or a pattern at i; returns where it ends."""
        while self.get(i) == ".":
            i += 1
        if self.get(i) not in ("{", "["):
            if self.kinds[i] == "word" and self.parts[i] not in KEYWORDS:
                found.add(self.parts[i])
            return i + 1
        end, is_object = self.partner[i], self.get(i) == "{"
        i += 1
        while i < end:
            if self.get(i) == ",":
                i += 1
                continue
            if is_object and self.get(i + 1) == ":":
                i += 2
            i = self.read_binding(i, found)
            if self.get(i) == "=":
                i = self.skip_value(i + 1)
        return end + 1

    def read_bindings(self, i, found):
        """As let or a list of parameters has them."""
        while i < len(self.parts) and self.get(i) != ")":
            i = self.read_binding(i, found)
            if self.get(i) == "=":
                i = self.skip_value(i + 1)
            if self.get(i) != ",":
                return
            i += 1

    def find_declared(self, first, end):
        """Names that are declared in a statement of the top level: there, and inside."""
        above, inside = set(), set()
        for i in range(first, end):
            part = self.get(i)
            if part in ("let", "const") and self.kinds[i] == "word":
                self.read_bindings(i + 1, inside if self.depth[i] > 0 else above)
            elif part == "function":
                (inside if self.depth[i] > 0 else above).add(self.get(i + 1))
                self.read_bindings(i + 3, inside)
            elif part == "catch" and self.is_sign(i + 1, "(") and not self.is_sign(i - 1, "."):
                self.read_bindings(i + 2, inside)
            elif self.is_sign(i, "=>"):
                if self.get(i - 1) == ")":
                    self.read_bindings(self.partner[i - 1] + 1, inside)
                else:
                    inside.add(self.get(i - 1))
        return above, inside

    def list_statements(self):
        first = 0
        while first < len(self.parts):
            is_function = "function" in self.parts[first:first + 2]
            end = first
            while not (self.depth[end] == 0 and self.get(end) == ("}" if is_function else ";")):
                end += 1
                if end == len(self.parts):
                    sys.exit(f"page/: {' '.join(self.parts[first:first + 8])} … does not end")
            yield first, end + 1
            first = end + 1


def make_names(used):
    for first in [""] + list(LETTERS):
        for last in LETTERS:
            if first + last not in used and first + last not in KEYWORDS:
                yield first + last


def name_by_count(counts, used):
    """A short name for each; the more often it is met, the shorter."""
    names = make_names(used)
    return {name: next(names) for name in sorted(counts, key=lambda name: (-counts[name], name))}


def count_words(words):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts


def name_inside(counts, both_counts, keys, taken):
    """Names inside a statement, which those of another may be, too. Of { width } there are two words where the variable has not
    the property's name; so it keeps that, or takes it, where that is shorter. `taken` are names of one or two letters."""
    short, taken = {}, set(taken)
    order = sorted(counts, key=lambda name: (-both_counts.get(name, 0), -counts[name], name))
    for name in order:
        key = keys.get(name, name)
        if name in both_counts and len(key) <= 2 and key not in taken:
            short[name] = key
            taken.add(key)
    names = make_names(taken)
    for name in sorted(set(order) - set(short), key=lambda name: (-counts[name], name)):
        both, alone = both_counts.get(name, 0), counts[name] - both_counts.get(name, 0)
        is_kept = len(name) > 2 and both > 0 and name not in keys and alone * (len(name) - 1) <= 2 * both
        short[name] = name if is_kept else next(names)
    return short


def shorten_names(tokens):
    """Names at the top level, of properties that are OURS, and inside of each statement of the top level. All that has one name
    inside a statement gets one, whatever its scope is; a name that is also of the top level stays that."""
    script = Script([(kind, part) for kind, part in tokens if kind != "space"])
    roles = [script.get_role(i) for i in range(len(script.parts))]
    for kind, part in tokens:
        if kind == "text" and part[1:-1] in OURS:
            sys.exit(f"page/: {part} is a text, and a property that is renamed")
    statements = [(first, end, *script.find_declared(first, end)) for first, end in script.list_statements()]
    above = set().union(*(names for _, _, names, _ in statements))

    def count(first, end, *wanted):
        return count_words(part for part, role in zip(script.parts[first:end], roles[first:end]) if role in wanted)

    all_keys = count(0, len(roles), "key", "both")
    keys = name_by_count({name: number for name, number in all_keys.items() if name in OURS}, set(all_keys) - OURS)
    # What nobody declares is the browser's, or a shader.
    foreign = set().union(*(set(count(first, end, "name", "both")) - inside for first, end, _, inside in statements)) - above
    used_above = {name: number for name, number in count(0, len(roles), "name", "both").items() if name in above}
    top = name_by_count(used_above, foreign)
    out = []
    for first, end, _, inside in statements:
        counts, both = count(first, end, "name", "both"), count(first, end, "both")
        taken = foreign | {top[name] for name in counts if name in top}
        own = {name: number for name, number in counts.items() if name in inside - above - foreign}
        short = {**top, **name_inside(own, both, keys, taken)}
        for i in range(first, end):
            part = script.parts[i]
            key, name = keys.get(part, part), short.get(part, part)
            out.append({"key": key, "name": name, "both": key if key == name else key + ":" + name}.get(roles[i], part))
    written = iter(out)
    return [(kind, part if kind == "space" else next(written)) for kind, part in tokens]


def use_arrows(tokens):
    """Functions of the top level become arrows: let f = (a) => …. Nothing may be called before the line that declares it has
    run, which a page would say when it opens; and none has a `this` or `arguments` of its own."""
    words = [i for i, (kind, _) in enumerate(tokens) if kind != "space"]
    script = Script([tokens[i] for i in words])
    out = {i: [tokens[i]] for i in range(len(tokens))}
    for first, end in script.list_statements():
        at = first + (script.get(first) == "async")
        if script.get(at) != "function":
            continue
        name, opens, last = script.parts[at + 1], script.partner[end - 1], end - 1
        out[words[at]] = [("word", "const"), ("space", " "), ("word", name), ("sign", "=")]
        for i in range(words[first], words[at + 1] + 1):
            out[i] = out[i] if i == words[at] else []
        if at > first:
            out[words[at]].append(("word", "async"))
        out[words[opens]] = [("sign", "="), ("sign", ">")] + out[words[opens]]
        out[words[last]] = [("sign", "}"), ("sign", ";")]
        # What only returns something needs no block.
        inside = [script.get(i) for i in range(opens + 1, last) if script.around[i] == opens]
        if script.get(opens + 1) == "return" and inside.count(";") == 1 and script.get(last - 1) == ";" and script.get(opens + 2) != ";":
            is_object = "{" == script.get(opens + 2) or "," in inside
            out[words[opens]] = [("sign", "="), ("sign", ">")] + [("sign", "(")] * is_object
            out[words[opens + 1]], out[words[last - 1]] = [], [("sign", ")")] * is_object
            out[words[last]] = [("sign", ";")]
    return [token for i in range(len(tokens)) for token in out[i]]


def shorten_script(text):
    """A script's text: shorter, and of the same meaning."""
    tokens = use_arrows(use_known(read_tokens(text)))
    tokens = [(kind, SHORTER.get(part, part) if kind == "word" else part) for kind, part in shorten_names(tokens)]
    return squeeze(join_statements(bare_parameters(tokens)))


def bare_parameters(tokens):
    """A function's only parameter takes no parentheses: x => …"""
    words = [i for i, (kind, _) in enumerate(tokens) if kind != "space"]
    dropped = set()
    for before, *five in zip(words, *(words[k:] for k in range(1, 6))):
        parts = [tokens[i] for i in five]
        if tokens[before][0] == "sign" and parts[1][0] == "word" and [part for _, part in parts[:1] + parts[2:]] == ["(", ")", "=", ">"]:
            dropped |= {five[0], five[2]}
    return [token for i, token in enumerate(tokens) if i not in dropped]


def use_known(tokens):
    """What browsers have goes by a name of ours, constants are numbers."""
    used, out, i = set(), [], 0
    while i < len(tokens):
        if out[-1:] == [("word", "gl")] and out[-2:-1] != [("sign", ".")] and tokens[i][1] == "." and tokens[i + 1][1].isupper():
            if tokens[i + 1][1] not in GL:
                sys.exit(f"page/shorten.py: GL lacks {tokens[i + 1][1]}")
            out[-1] = ("word", str(GL[tokens[i + 1][1]]))
            i += 2
            continue
        long = "".join(part for _, part in tokens[i:i + 3])
        is_free = tokens[i][0] == "word" and not (out and out[-1] == ("sign", "."))
        name = long if is_free and long in KNOWN else tokens[i][1] if is_free and tokens[i][1] in KNOWN else None
        if name:
            used.add(name)
            out.append(("word", "our" + name.replace(".", "")))
            i += 3 if name == long else 1
        else:
            out.append(tokens[i])
            i += 1
    return read_tokens("".join(f"const our{name.replace('.', '')} = {name};\n" for name in KNOWN if name in used)) + out


# ---- shaders

DECLARED_GLSL = re.compile(r"\b(?:float|vec[234]|ivec2|uint|int|bool|face|box_look|shape|light_map|struct)\s+(\w+)")
UNIFORM = re.compile(r"\buniform [^;]*;")
FUNCTION_GLSL = re.compile(r"^\w+ ((?!main\b)\w+)\([^{}]*\) \{(?:[^{}\n]*\}|\n.*?^\})\n", re.M | re.S)
# Words that are met often, and what they are by the preprocessor.
GLSL_WORDS = {"float": "F", "vec2": "D", "vec3": "T", "vec4": "Q", "return": "R", "uniform": "U"}
GLSL_BEGIN = "".join(f"#define {short} {word}\n" for word, short in GLSL_WORDS.items())


def shorten_numbers(text):
    return re.sub(r"(?<![\w.])0\.(?=\d)", ".", re.sub(r"\b(\d+)\.0(?!\d)", r"\1.", text))


def name_shaders(tokens, kept):
    """All that has a name gets one, whether it is a variable, a function or a member."""
    counts = count_words(part for kind, part in tokens if kind == "word")
    declared = set(DECLARED_GLSL.findall("".join(part for _, part in tokens))) - kept
    names = make_names(set(counts) | {"x", "y", "z", "w"} | set(GLSL_WORDS.values()))
    order = sorted((name for name in declared if len(name) > 2), key=lambda name: (-counts[name] * len(name), name))
    short = {name: next(names) for name in order}
    short |= GLSL_WORDS
    return [(kind, short.get(part, part) if kind == "word" else part) for kind, part in tokens]


def drop_unused(texts):
    """Without functions that nobody calls and what only Vulkan's shaders have."""
    texts = [re.sub(r"^#ifdef .*?^#else\n(.*?)^#endif\n", r"\1", text, flags=re.M | re.S) for text in texts]
    count = count_words(re.findall(r"\w+", " ".join(texts)))

    def choose(found):
        return found[0] if count[found[1]] > sum(len(re.findall(rf"^\w+ {found[1]}\(", text, flags=re.M)) for text in texts) else ""

    kept = [FUNCTION_GLSL.sub(choose, text) for text in texts]
    return kept if kept == texts else drop_unused(kept)


def shorten_shaders(pieces):
    """The same names in all of them, but for those that the script knows: uniforms."""
    texts = drop_unused([re.sub(r"//.*", "", text) for text in pieces])
    for name, number in re.findall(r"^#define (MC_\w+) (\w+)\s*$", "\n".join(texts), flags=re.M):
        texts = [re.sub(rf"\b{name}\b", number, re.sub(rf"^#define {name} .*\n", "", text, flags=re.M)) for text in texts]
    split, tokens = [], []
    for text in texts:
        parts = re.split(r"^(#.*)$", text, flags=re.M)
        split.append(parts)
        for part in parts:
            tokens += [("text", part)] if part.startswith("#") else read_tokens(part) + [("space", "\n")]
    known = set(re.findall(r"\w+", " ".join(UNIFORM.findall("\n".join(texts))))) | {"main"}
    known |= set(re.findall(r"\w+", " ".join(part for kind, part in tokens if kind == "text")))
    tokens = iter(name_shaders(tokens, known))
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


def shorten_style(text):
    """Custom properties have short names; a comment's line goes."""
    text = re.sub(r"\n", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    short = name_by_count(count_words(re.findall(r"--([a-z]+)", text)), set())
    return re.sub(r"--([a-z]+)", lambda found: "--" + short[found[1]], text)
