"""Runs LibreTranslate's own server, whose models cannot be had from a package registry: only what translates is replaced.

Arguments: the file of its API keys, a key to create, the codes of the languages (comma separated), then LibreTranslate's.
Routes, checks of requests, keys, limits, error texts and codes are LibreTranslate's. Its library Argos Translate is
stood in for by a table: `[es] text` for `text` in Spanish. Prints the port on 127.0.0.1, and ends when its standard
input does.
"""

import os
import socket
import sys
import threading
import types

KEYS, KEY, CODES, *ARGUMENTS = sys.argv[1:]


def module(name, **members):
    made = types.ModuleType(name)
    vars(made).update(members)
    sys.modules[name] = made
    return made


class Language:
    def __init__(self, code):
        self.code = self.name = code
        self.translations_from = []

    def get_translation(self, to):
        return next((one for one in self.translations_from if one.to_lang is to), None)


class Translation:
    def __init__(self, to):
        self.to_lang = to

    def translate(self, text):
        return f"[{self.to_lang.code}] {text}"

    def hypotheses(self, text, count=4):
        return [types.SimpleNamespace(value=self.translate(text), score=0)] * count


languages = [Language(code) for code in CODES.split(",")]
for language in languages:
    language.translations_from = [Translation(to) for to in languages]

module(
    "argostranslate",
    # More than one: LibreTranslate downloads nothing.
    package=module("argostranslate.package", get_installed_packages=lambda: languages),
    translate=module("argostranslate.translate", get_installed_languages=lambda: languages),
)
module("minisbd", download_models=lambda *_: None)
module("argostranslatefiles", get_supported_formats=list)
module("argostranslatefiles.translatehtml", translate_html=lambda translation, text: translation.translate(text))

from libretranslate.api_keys import Database  # noqa: E402
from libretranslate.main import main  # noqa: E402

if KEY:
    Database(KEYS).add(req_limit=600, api_key=KEY)


def end_with_stdin():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_stdin, daemon=True).start()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
print(port, flush=True)
sys.argv = ["libretranslate", "--port", str(port), "--disable-web-ui", "--disable-files-translation", *ARGUMENTS]
main()
