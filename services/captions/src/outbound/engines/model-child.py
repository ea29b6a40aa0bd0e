"""Loads a model once and then answers one request after the other.

Arguments: the program of the model's kind, the folder that holds its packages, the folder of the model, threads. The program
has load(folder, threads), which returns the model, its languages and the package's version, and answer(model, request,
payload), which yields the parts of an answer.

Standard input, a request after the other: a JSON line {"id": n, "bytes": size, ...}, then so many bytes.
It ends at once when its standard input does, even in the middle of a request: whoever reads its answers is gone.

Standard output, JSON lines:
{"ready": {"languages": [...], "version": "...", "rss": bytes}}      once, or {"failed": "why"} and exit code 1
{"id": n, "part": {...}}                                             any number
{"id": n, "end": {"rss": bytes}}                                     or {"id": n, "error": "why"}
"""

import json
import os
import queue
import resource
import runpy
import sys
import threading

os.environ["HF_HUB_OFFLINE"] = "1"
# numpy's own threads are not needed, and each would reserve address space.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# What libraries print must not get between the lines of answers.
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)


def emit(line):
    answers.write(json.dumps(line) + "\n")
    answers.flush()


def read_requests(requests):
    stream = sys.stdin.buffer
    while line := stream.readline():
        request = json.loads(line)
        size = request["bytes"]
        payload = stream.read(size)
        if len(payload) < size:
            break
        requests.put((request, payload))
    os._exit(0)


def rss():
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def why(error):
    return str(error) or type(error).__name__


def main():
    program, packages, folder, threads = sys.argv[1:]
    requests = queue.SimpleQueue()
    threading.Thread(target=read_requests, args=(requests,), daemon=True).start()
    try:
        sys.path.insert(0, packages)
        kind = runpy.run_path(program)
        model, languages, version = kind["load"](folder, int(threads))
    except Exception as error:
        emit({"failed": why(error)})
        os._exit(1)
    emit({"ready": {"languages": languages, "version": version, "rss": rss()}})
    while True:
        request, payload = requests.get()
        try:
            for part in kind["answer"](model, request, payload):
                emit({"id": request["id"], "part": part})
            emit({"id": request["id"], "end": {"rss": rss()}})
        except Exception as error:
            emit({"id": request["id"], "error": why(error)})


main()
