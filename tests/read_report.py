"""What a report says, read with other means than it was written with: a line a fact.

usage: read_report.py REPORT.html PICTURE_FOLDER
"""
import base64
import html.parser
import pathlib
import re
import sys
import xml.etree.ElementTree

VOID = {"meta", "img", "link", "br", "source"}


# Pictures of a page by what it is shown on; a phone takes the first that is for it.
MEDIA = {"(max-width:640px) and (prefers-color-scheme:dark)": "narrow-dark-", "(max-width:640px)": "narrow-",
         "(prefers-color-scheme:dark)": "dark-"}


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.cells, self.rows, self.pictures, self.walks = [], None, [], [], []
        self.pictures_for = {prefix: [] for prefix in MEDIA.values()}
        self.text, self.is_summary, self.stops = "", False, []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for name in ("src", "srcset", "href"):
            if name in attributes and not attributes[name].startswith("data:"):
                sys.exit(f"refers to {attributes[name]}")
        if tag in ("script", "link"):
            sys.exit(f"holds a <{tag}>")
        if tag == "source" and attributes["media"] not in MEDIA:
            sys.exit(f"a picture for {attributes['media']}")
        if tag in ("img", "source"):
            pictures = self.pictures if tag == "img" else self.pictures_for[MEDIA[attributes["media"]]]
            pictures.append(base64.b64decode(attributes["src" if tag == "img" else "srcset"].split(",", 1)[1], validate=True))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.cells = []
        if tag in ("td", "h1", "li") or (tag == "p" and attributes.get("class") == "cause"):
            self.text = ""
            self.is_summary = tag == "p"
        if tag in ("small", "i"):
            self.text += "|"

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            sys.exit(f"</{tag}> ends something else")
        if tag == "td":
            self.cells.append(self.text.strip())
        if tag == "tr" and self.cells:
            self.rows.append(self.cells)
        if tag == "p" and self.is_summary:
            self.walks.append(self.text)
            self.is_summary = False
        if tag == "li" and "ol" in self.open:
            self.stops.append(" ".join(self.text.split()))
        if tag == "h1":
            print("title\t" + self.text)

    def handle_data(self, data):
        self.text += data


def read_trees(page):
    """Small trees: each a document of its own, whose style is for it alone; a line of its texts."""
    for text in re.findall(r"<svg xmlns.*?</svg>", page, re.S):
        svg, tag = xml.etree.ElementTree.fromstring(text), "{http://www.w3.org/2000/svg}"
        scope = svg.get("class") or sys.exit("a tree's document has no class")
        for rule in re.findall(r"([^{}]*){", svg.find(tag + "style").text):
            if not rule.startswith(f".{scope} "):
                sys.exit(f"the rule {rule} is for all of the page")
        for part in svg.iter():
            if not part.get("id", scope).startswith(scope):
                sys.exit(f"the name {part.get('id')} may be another tree's, too")
        print("trees\t" + scope + "\t" + "\t".join("".join(t.itertext()) for t in svg.iter(tag + "text")))
        print("segments\t" + scope + "\t" + "\t".join(t.text for t in svg.iter(tag + "title")))


page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
reader = Reader()
reader.feed(page)
reader.close()
if reader.open:
    sys.exit(f"never ended: {reader.open}")
for prefix, pictures in ("", reader.pictures), *reader.pictures_for.items():
    for index, picture in enumerate(pictures):
        if picture[:8] != b"\x89PNG\r\n\x1a\n":
            sys.exit("a picture is no PNG file")
        (pathlib.Path(sys.argv[2]) / f"{prefix}{index}.png").write_bytes(picture)
for row in reader.rows:
    is_suspect = len(row) == 9 or (len(row) == 3 and "|" in row[1])  # of one step: its size alone
    print(("suspect\t" if is_suspect else "step\t") + "\t".join(row))
read_trees(page)
for walk in reader.walks:
    print("walk\t" + walk)
for stop in reader.stops:
    print("stop\t" + stop)
