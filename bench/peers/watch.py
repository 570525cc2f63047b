#!/usr/bin/env python3
"""watch.py LIMIT_S CMD...: runs CMD, its output unchanged, then a last line {"wall_s", "own_s", "others_cores"}.

own_s is the CPU time of CMD and of everything it started (all of it is reaped here, Chromium's processes too);
others_cores is what all other programs took meanwhile. What still runs at the limit is ended."""
import ctypes, json, os, resource, signal, subprocess, sys, time

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def busy_s():
    fields = open('/proc/stat').readline().split()
    return sum(int(fields[i]) for i in (1, 2, 3, 6, 7)) / os.sysconf('SC_CLK_TCK')


def descendants():
    children = {}
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            parent = int(open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(pid))
    found, todo = [], [os.getpid()]
    while todo:
        more = children.get(todo.pop(), [])
        found += more
        todo += more
    return found


def reap(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.05)
        except ChildProcessError:
            return True
    return False


busy, begin = busy_s(), time.monotonic()
process = subprocess.Popen(sys.argv[2:])
try:
    process.wait(float(sys.argv[1]))
except subprocess.TimeoutExpired:
    pass
code = process.poll()
if code is None or not reap(2):
    for number in (signal.SIGTERM, signal.SIGKILL):
        for pid in descendants():
            try:
                os.kill(pid, number)
            except OSError:
                pass
        if reap(3):
            break
wall = time.monotonic() - begin
own = sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)))
sys.stdout.flush()
print(json.dumps({'wall_s': round(wall, 1), 'own_s': round(own, 1),
                  'others_cores': round(max(0, busy_s() - busy - own) / wall, 2)}))
sys.exit(124 if code is None else code)
