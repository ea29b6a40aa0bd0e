"""ClickHouse's HTTP interface over chdb, its engine in a Python process: what the official client sends, one at a time.

Usage: python clickhouse-adapter.py <port> <folder>. Users, row policies and clusters are not part of chdb.
"""
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb.session import Session

session = Session(sys.argv[2])
OURS = {"query", "query_id", "database", "session_id", "default_format", "wait_end_of_query", "user", "password"}


def literal(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.reply(200, b"Ok.\n")

    def do_POST(self):
        given = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        body = self.body().decode()
        sql = "\n".join(part for part in (given.get("query"), body) if part)
        settings = {name: value for name, value in given.items() if name not in OURS}
        readonly = settings.pop("readonly", None)
        statement = sql.strip().rstrip(";")
        try:
            if readonly == "1" and not statement.lstrip("( \n").upper().startswith(("SELECT", "WITH")):
                raise RuntimeError("Code: 164. DB::Exception: Cannot execute query in readonly mode. (READONLY)")
            for name, value in settings.items():
                session.query(f"SET {name} = {value if name == 'additional_table_filters' else literal(value)}")
            try:
                result = session.query(statement)
            finally:
                for name in settings:
                    if not name.startswith("param_"):
                        session.query(f"SET {name} = DEFAULT")
            self.reply(200, result.bytes() if result is not None else b"")
        except Exception as error:  # the engine's own text goes to the client
            self.reply(400, str(error).encode())

    def body(self):
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length", 0)))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def reply(self, status, data):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


session.query("CREATE DATABASE IF NOT EXISTS vds ENGINE = Atomic")
session.query("USE vds")
server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print("ready", flush=True)
server.serve_forever()
