#!/usr/bin/env bash
# Text has a contrast of at least 4.5 : 1 in both themes (WCAG 2.1, 1.4.3): on panels, on buttons, and on the plates of names,
# whatever a picture shows behind them. Its colours are read from the table that the window uses.
. "$(dirname "$0")/../command.sh"
python3 - "$(dirname "$0")/../../app/ui/ui_theme.cpp" <<'P' >"$work/contrast" 2>&1 || fail "$(tail -n 1 "$work/contrast")"
import re, sys
source = open(sys.argv[1], encoding="utf-8").read()
def read_theme(name):
    rows = re.search(r"const ui_colors %s = \{(.*?)\};" % name, source, re.S).group(1)
    found = re.findall(r"rgba\(0x([0-9a-f]{6})(?:, (\d+))?\),?\s*// (\w+)", rows)
    return {key: (tuple(int(rgb[i:i + 2], 16) for i in (0, 2, 4)), int(alpha or 255) / 255) for rgb, alpha, key in found}
def over(color, behind):
    (rgb, alpha) = color
    return tuple(alpha * c + (1 - alpha) * b for c, b in zip(rgb, behind))
def luminance(rgb):
    lin = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * lin[0] + 0.7152 * lin[1] + 0.0722 * lin[2]
def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)
pictures = {  # what may lie behind: the background, roofs that are solid, growth, the ground, and what is in shadow
    "light": [(248, 250, 252), (236, 230, 219), (212, 31, 26), (247, 153, 41), (102, 125, 158), (60, 60, 60)],
    "dark": [(18, 20, 24), (163, 158, 150), (224, 36, 28), (250, 153, 41), (255, 232, 115), (41, 55, 79)]}
worst = []
for name, behind in pictures.items():
    theme = read_theme(name)
    assert len(theme) >= 15, f"{name}: only {len(theme)} colours are found"
    for picture in behind:
        for plate, texts in (("panel", "text muted accent warning incoming outgoing"), ("plate", "text")):
            ground = over(theme[plate], picture)
            worst += [(contrast(over(theme[t], ground), ground), f"{name}: {t} on {plate} over {picture}") for t in texts.split()]
    worst.append((contrast(theme["accent_text"][0], theme["accent"][0]), f"{name}: accent_text on accent"))
low = min(worst)
assert low[0] >= 4.5, f"{low[1]} has a contrast of {low[0]:.2f}"
P
finish
