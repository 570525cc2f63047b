#!/usr/bin/env python3
"""Runs a command whose standard output, and with --err its messages, is a terminal; prints what that would get.

usage: on_terminal.py [--err] COMMAND…   (exits with the command's code)
"""
import os
import pty
import subprocess
import sys
import termios

arguments = sys.argv[1:]
errors = arguments[0] == "--err"
arguments = arguments[1:] if errors else arguments
master, slave = pty.openpty()
attributes = termios.tcgetattr(slave)
attributes[1] &= ~termios.OPOST  # as it was written
termios.tcsetattr(slave, termios.TCSANOW, attributes)
process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave if errors else None)
os.close(slave)
while True:
    try:
        data = os.read(master, 65536)
    except OSError:  # EIO: nobody has it open any more
        break
    if not data:
        break
    sys.stdout.buffer.write(data)
sys.exit(process.wait())
