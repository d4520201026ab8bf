"""Jobs for tests of the server, and the worker that does them: `python -m studio_jobs`."""

import os
import resource
import signal
import sys
import time
from pathlib import Path

import numpy as np

from anabasis.errors import InputError
from anabasis.studio import jobs, worker
from anabasis.studio.channel import Channel


def facts(args, out: Channel) -> None:
    out.progress(1, 2, "half")
    out.say("facts", {"title": args.get("title", ""), "rows": [["process", os.getpid()]]})


def data(args, out: Channel) -> None:
    if "process_in" in args:
        Path(args["process_in"]).write_text(f"{os.getpid()}")
    for number in range(args["count"]):
        out.say("data", {"number": number}, values=np.full(args["bytes"], number % 251, np.uint8))


def wait(args, out: Channel) -> None:
    out.say("here", {"process": os.getpid()})
    time.sleep(args.get("seconds", 600))


def hear(args, out: Channel) -> None:
    while (word := out.listen(60)) is not None and word["say"] != "stop":
        out.say("heard", {"word": word})
    out.end("stopped", "as it was told")


def die(args, out: Channel) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def leave(args, out: Channel) -> None:
    os._exit(7)


def wrong(args, out: Channel) -> None:
    raise InputError("wrong", file="a.map", where=3, found=[1], expected="right", hint="do right")


def fault(args, out: Channel) -> None:
    raise RuntimeError("boom")


def greedy(args, out: Channel) -> None:
    out.say("limit", {"bytes": resource.getrlimit(resource.RLIMIT_AS)[0]})
    np.ones(2**42, np.uint8)


def grow(args, out: Channel) -> None:
    remembered.append(np.ones(args["bytes"], np.uint8))
    out.say("here", {"process": os.getpid()})


remembered: list[np.ndarray] = []


def chat(args, out: Channel) -> None:
    sys.stdout.write("no message\n" * 1000)
    sys.stdout.flush()
    os.write(1, b"none either")
    out.say("read", {"text": sys.stdin.read()})


def write(args, out: Channel) -> None:
    (out.keep / "note").write_text(args["text"])


def read(args, out: Channel) -> None:
    out.say("note", {"text": (Path(args["folder"]) / "note").read_text()})


def tables(args, out: Channel) -> None:
    out.say("tables", {"tables": {"process": os.getpid()}})


def opened(args, out: Channel) -> None:
    from anabasis.io.maps import load_grid

    if args["name"].startswith("wait"):
        wait({}, out)
    grid = load_grid(args["path"])
    out.say("draft", {"draft": {"name": args["name"], "width": grid.width}})


def saved(args, out: Channel) -> None:
    if args["draft"].get("wrong"):
        raise InputError("wrong draft", where="wrong")
    Path(args["path"]).write_text(args["draft"]["text"])
    out.say("saved", {"notes": ["all of it"]})


JOBS = (
    *(jobs.Job(work.__name__, f"studio_jobs:{work.__name__}") for work in (facts, data, write, wrong)),
    *(
        jobs.Job(work.__name__, f"studio_jobs:{work.__name__}", kept=False)
        for work in (wait, hear, die, leave, fault, greedy, grow, chat, read)
    ),
    jobs.Job("stream", "studio_jobs:data", kept=False),
    jobs.Job("tables", "studio_jobs:tables", inside=True),
    jobs.Job("open", "studio_jobs:opened", kept=False, inside=True),
    jobs.Job("save", "studio_jobs:saved", kept=False, inside=True),
)


if __name__ == "__main__":
    jobs.JOBS = JOBS
    worker.main()
