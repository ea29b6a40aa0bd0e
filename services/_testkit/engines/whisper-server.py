"""Serves a Whisper model behind OpenAI's /v1/audio/transcriptions and /v1/audio/translations, for tests and the demo.

Arguments: the folder of the model, its name in requests, the key that requests need (or nothing).
Prints the port on 127.0.0.1 once the model is loaded, and ends when its standard input does.
Errors have OpenAI's form: {"error": {"message", "type", "param", "code"}}.
"""

import io
import json
import os
import sys
import threading
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

os.environ["HF_HUB_OFFLINE"] = "1"

from faster_whisper import WhisperModel  # noqa: E402

FOLDER, NAME, KEY = sys.argv[1:]
FORMATS = ("json", "text", "verbose_json")
model = WhisperModel(FOLDER, device="cpu", compute_type="int8", local_files_only=True)
# One transcription at a time, as on a server with one worker.
lock = threading.Lock()


class Rejected(Exception):
    def __init__(self, status, message, param=None, code=None):
        super().__init__(message)
        self.status = status
        self.body = {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def read_form(content_type, body):
    """The fields of a multipart form, each a list; of a file its bytes."""
    head = f"content-type: {content_type}\r\n\r\n".encode()
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    if not message.is_multipart():
        raise Rejected(400, "Could not parse multipart form")
    fields = {}
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        value = part.get_payload(decode=True)
        fields.setdefault(name, []).append(value if part.get_filename() else value.decode())
    return fields


def transcribe(fields, task):
    def one(name, otherwise=None):
        return fields.get(name, [otherwise])[0]

    if not isinstance(one("file"), bytes):
        raise Rejected(400, "file: field required", "file")
    if one("model") != NAME:
        raise Rejected(404, f"The model `{one('model')}` does not exist", "model", "model_not_found")
    wanted = one("response_format", "json")
    if wanted not in FORMATS:
        raise Rejected(400, f"'{wanted}' is not one of {', '.join(FORMATS)}", "response_format")
    language = one("language") if task == "transcribe" else None
    if language is not None and language not in model.supported_languages:
        raise Rejected(400, f"Language '{language}' is not supported", "language", "unsupported_language")
    granularities = fields.get("timestamp_granularities[]", ["segment"])
    with lock:
        found, info = model.transcribe(
            io.BytesIO(one("file")),
            language=language,
            task=task,
            beam_size=1,
            word_timestamps="word" in granularities,
            vad_filter=True,
        )
        segments = list(found)
    text = "".join(segment.text for segment in segments).strip()
    if wanted == "text":
        return text
    if wanted == "json":
        return {"text": text}
    response = {"task": task, "language": info.language, "duration": info.duration, "text": text}
    if "segment" in granularities:
        response["segments"] = [
            {
                "id": index,
                "seek": segment.seek,
                "start": segment.start,
                "end": segment.end,
                "text": segment.text,
                "tokens": segment.tokens,
                "temperature": segment.temperature,
                "avg_logprob": segment.avg_logprob,
                "compression_ratio": segment.compression_ratio,
                "no_speech_prob": segment.no_speech_prob,
            }
            for index, segment in enumerate(segments)
        ]
    if "word" in granularities:
        response["words"] = [
            {"word": word.word, "start": word.start, "end": word.end}
            for segment in segments
            for word in segment.words
        ]
    return response


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    tasks = {"/v1/audio/transcriptions": "transcribe", "/v1/audio/translations": "translate"}

    def do_GET(self):
        models = {"object": "list", "data": [{"id": NAME, "object": "model", "owned_by": "tests"}]}
        self.reply(200, models) if self.path == "/v1/models" else self.reply(404, {"error": {"message": "Not found"}})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            if self.path not in self.tasks:
                raise Rejected(404, f"Invalid URL (POST {self.path})")
            if KEY and self.headers.get("authorization") != f"Bearer {KEY}":
                raise Rejected(401, "Incorrect API key provided", code="invalid_api_key")
            self.reply(200, transcribe(read_form(self.headers.get("content-type"), body), self.tasks[self.path]))
        except Rejected as rejected:
            self.reply(rejected.status, rejected.body)

    def reply(self, status, body):
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "text/plain" if isinstance(body, str) else "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
os._exit(0)
