"""Drags files, or addresses, onto a window and drops them there, as a file manager does (XDND, version 5).

usage: drop_files.py WINDOW X Y PATH…   (WINDOW: its number; X, Y: on the screen)
"""
import ctypes
import pathlib
import sys
import time

SELECTION_REQUEST, SELECTION_NOTIFY, CLIENT_MESSAGE = 30, 31, 33
x11 = ctypes.CDLL("libX11.so.6")
Long, Pointer = ctypes.c_long, ctypes.c_void_p


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", Pointer),
                ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong), ("format", ctypes.c_int), ("data", Long * 5)]


class SelectionRequest(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", Pointer),
                ("owner", ctypes.c_ulong), ("requestor", ctypes.c_ulong), ("selection", ctypes.c_ulong),
                ("target", ctypes.c_ulong), ("property", ctypes.c_ulong), ("time", ctypes.c_ulong)]


class SelectionNotify(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", Pointer),
                ("requestor", ctypes.c_ulong), ("selection", ctypes.c_ulong), ("target", ctypes.c_ulong),
                ("property", ctypes.c_ulong), ("time", ctypes.c_ulong)]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("client", ClientMessage), ("request", SelectionRequest), ("notify", SelectionNotify),
                ("pad", Long * 24)]


x11.XOpenDisplay.restype = Pointer
for name, types in {"XInternAtom": [Pointer, ctypes.c_char_p, ctypes.c_int], "XDefaultRootWindow": [Pointer],
                    "XCreateSimpleWindow": [Pointer, ctypes.c_ulong] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 3 + [ctypes.c_ulong] * 2}.items():
    getattr(x11, name).restype = ctypes.c_ulong
    getattr(x11, name).argtypes = types
x11.XSetSelectionOwner.argtypes = [Pointer, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong]
x11.XSendEvent.argtypes = [Pointer, ctypes.c_ulong, ctypes.c_int, Long, Pointer]
x11.XChangeProperty.argtypes = [Pointer, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_int, ctypes.c_int,
                                ctypes.c_char_p, ctypes.c_int]
for name in "XPending", "XFlush":
    getattr(x11, name).argtypes = [Pointer]
x11.XNextEvent.argtypes = [Pointer, Pointer]

display = x11.XOpenDisplay(None) or sys.exit("no display")
target, x, y = (int(argument) for argument in sys.argv[1:4])
uris = "".join((path if "://" in path else pathlib.Path(path).resolve().as_uri()) + "\r\n" for path in sys.argv[4:]).encode()
source = x11.XCreateSimpleWindow(display, x11.XDefaultRootWindow(display), 0, 0, 10, 10, 0, 0, 0)


def atom(name):
    return x11.XInternAtom(display, name.encode(), 0)


def send(name, *data):
    event = Event()
    values = [source, *data]
    event.client = ClientMessage(CLIENT_MESSAGE, 0, 1, display, target, atom(name), 32,
                                 (Long * 5)(*values, *[0] * (5 - len(values))))
    x11.XSendEvent(display, target, 0, 0, ctypes.byref(event))
    x11.XFlush(display)


def give(request):
    x11.XChangeProperty(display, request.requestor, request.property, request.target, 8, 0, uris, len(uris))
    event = Event()
    event.notify = SelectionNotify(SELECTION_NOTIFY, 0, 1, display, request.requestor, request.selection, request.target,
                                   request.property, request.time)
    x11.XSendEvent(display, request.requestor, 0, 0, ctypes.byref(event))
    x11.XFlush(display)


def wait_for(name):
    """A message of this name; gives what is asked for meanwhile."""
    for _ in range(3000):
        while x11.XPending(display):
            event = Event()
            x11.XNextEvent(display, ctypes.byref(event))
            if event.type == SELECTION_REQUEST:
                give(event.request)
            if event.type == CLIENT_MESSAGE and event.client.message_type == atom(name):
                return event.client.data
        time.sleep(0.01)
    sys.exit(f"no {name}")


x11.XSetSelectionOwner(display, atom("XdndSelection"), source, 0)
send("XdndEnter", 5 << 24, atom("text/uri-list"))
send("XdndPosition", 0, x << 16 | y, 0, atom("XdndActionCopy"))
if not wait_for("XdndStatus")[1] & 1:
    sys.exit("it takes no files")
send("XdndDrop", 0, 0)
wait_for("XdndFinished")
