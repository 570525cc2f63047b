"""Chromium, without a window and without a port: what the tests of pages share."""
import json
import os
import subprocess
import sys


class Browser:
    """One page, spoken to through a pair of pipes, which need no port."""

    def __init__(self, program, profile, options=("--disable-gpu",)):
        here, there_in = os.pipe()
        out, there_out = os.pipe()
        read_end, self.write_end = here, there_in
        self.read_end, write_end = out, there_out

        def prepare():
            # The browser reads from 3 and writes to 4.
            a, b = os.dup(read_end), os.dup(write_end)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, *options, "--headless=new", "--no-sandbox", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-extensions", "--disable-dev-shm-usage", f"--user-data-dir={profile}",
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=prepare, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_end)
        os.close(write_end)
        self.rest, self.next, self.events, self.session = b"", 1, [], None
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]

    def receive(self):
        while b"\0" not in self.rest:
            part = os.read(self.read_end, 1 << 20)
            if not part:
                sys.exit("the browser has ended")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        message = {"id": self.next, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.next += 1
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while not any(e.get("method") == method for e in self.events):
            self.events.append(self.receive())

    def end(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait()

    def kill(self):
        self.process.kill()
        self.process.wait()
