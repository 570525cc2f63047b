# A leak in Python, and a healthy twin: a snapshot of tracemalloc a round.
import sys
import tracemalloc

tracemalloc.start(25)
cache = [bytearray(1000) for _ in range(5000)]
sessions = {}


class Session:
    def __init__(self, number):
        self.user = "user%d" % number + "x" * 50
        self.body = bytearray(4096)


def open_session(number):
    sessions[number] = Session(number)


def work(number):
    return sum(len(str(i)) for i in range(number % 100))


def main(kind, folder, rounds, count):
    for k in range(rounds):
        for i in range(count):
            open_session(k * count + i)
            work(i)
            if kind != "leak":
                sessions.pop(k * count + i - 10, None)
        tracemalloc.take_snapshot().dump("%s/%d.tracemalloc" % (folder, k))


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
