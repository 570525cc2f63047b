#!/usr/bin/env python3
"""Types at the prompt of `memcity query TRACE`, and looks at what a terminal would show and what is remembered.

usage: query_prompt.py MEMCITY TRACE   (exits with 1 after saying what is wrong)
"""
import os
import pty
import select
import signal
import stat
import sys
import tempfile
import time

memcity, trace = sys.argv[1:]
home = tempfile.mkdtemp()
shown = b""
child, terminal = pty.fork()
if child == 0:
    environment = dict(os.environ, HOME=home, TERM="vt100")
    environment.pop("XDG_STATE_HOME", None)
    os.execve(memcity, [memcity, "query", trace], environment)


def read_until(text, since=0):
    """Whether the terminal shows the text, behind what it has shown before."""
    global shown
    end = time.monotonic() + 60
    while text not in shown[since:]:
        if time.monotonic() > end or not select.select([terminal], [], [], 60)[0]:
            sys.exit(f"never shown: {text!r}; shown is {shown[-400:]!r}")
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            sys.exit(f"it has ended before {text!r}: {shown[-400:]!r}")
    return len(shown)


def repeat_text(text, is_done):
    """Types the text until it was heard: what comes while the terminal changes its mode is lost."""
    for _ in range(60):
        os.write(terminal, text)
        end = time.monotonic() + 1
        while time.monotonic() < end:
            if is_done():
                return
    sys.exit(f"never heard: {text!r}; shown is {shown[-400:]!r}")


def look(seconds):
    """Reads what is shown within this time. False: the program has ended."""
    global shown
    if not select.select([terminal], [], [], seconds)[0]:
        return True
    try:
        part = os.read(terminal, 65536)
    except OSError:
        return False
    shown += part
    return len(part) > 0


def type_text(text, expected):
    since = len(shown)
    os.write(terminal, text)
    return read_until(expected, since)


read_until(b"memcity> ")
type_text(b"SELECT 6 * 7 AS answer;\n", b"42")
read_until(b"memcity> ", len(shown) - 12)
type_text(b"SELECT 1 +\n", b"...> ")
type_text(b"2 AS three;\n", b"    3")
if b"libedit" in open(memcity, "rb").read():
    # Where nothing more is certain, Tab lists what there is, each name once, and the line goes on.
    since = len(shown)
    type_text(b"SELECT 7, count(*) FROM ste\t\t", b"steps")
    listed = shown[since:].split(b"\n", 1)[-1]
    if listed.count(b"steps") != 1 or b"steps  step\r" not in listed:
        sys.exit(f"names are not listed: {shown[since:]!r}")
    type_text(b"s;\n", b"27")
    read_until(b"memcity> ", since + len(listed))
    # Tab makes "ste" what "step" and "steps" have in common.
    since = len(shown)
    type_text(b"SELECT count(*) + 1000 AS found FROM ste\ts;\n", b"1027")
    read_until(b"memcity> ", since)
    type_text(b"SELECT nonsense", b"nonsense")
    since = len(shown)
    repeat_text(b"\x03", lambda: look(0.1) and b"memcity> " in shown[since:])  # the line is gone
    type_text(b"\x1b[A\n", b"1027")  # the one before
type_text(b".tables steps\n", b"what somebody noted")
type_text(b"DROP VIEW leaves;\n", b"only SELECT")
for attempt in range(10):  # too early, it is the line that Ctrl+C ends
    type_text(b"WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT count(*) FROM a;\n", b"\n")
    time.sleep(0.3 * (attempt + 1))
    since = len(shown)
    repeat_text(b"\x03", lambda: look(0.1) and (b"cancelled" in shown[since:] or b"memcity> " in shown[since:]))
    if b"cancelled" in shown[since:]:
        break
else:
    sys.exit(f"never cancelled; shown is {shown[-400:]!r}")
type_text(b"SELECT 'on' || 'ward' AS it;\n", b"onward")
repeat_text(b"\x15\x04", lambda: not look(0.1))
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
if code != 0:
    sys.exit(f"exit code {code}")
history = os.path.join(home, ".local/state/memcity/query_history")
if os.path.exists(history):
    if stat.S_IMODE(os.stat(history).st_mode) & 0o077:
        sys.exit("others may read the history")
    if "onward" not in open(history).read().replace("\\", "") and "ward" not in open(history).read():
        sys.exit("the history lacks what was typed last")
elif b"libedit" in open(memcity, "rb").read():
    sys.exit("there is no history")
