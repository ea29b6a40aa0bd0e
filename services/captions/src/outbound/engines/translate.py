"""Translates with a CTranslate2 model, as model-child.py asks.

The languages of "ready" are the tokens of the vocabulary that name one: __en__ (M2M-100), eng_Latn (NLLB), >>fra<< (OPUS-MT).
A request: {"source_prefix": [tokens], "target_prefix": [tokens], "texts": [...]}, without bytes.
The parts of its answer, one a text and in their order: {"text": "..."}
"""

import json
import os
import re

LANGUAGE = re.compile(r"__[a-z]{2,3}__|[a-z]{3}_[A-Z][a-z]{3}|>>[A-Za-z_]{2,10}<<")
# What a text must not hold as tokens: they would switch languages, or end it.
SPECIAL = re.compile(r"<.*>|__.*__|[a-z]{3}_[A-Z][a-z]{3}")
END = "</s>"
# Models know 512 or 1024 places. A sentence of more tokens is translated in parts, which begin with a word.
MOST_TOKENS = 200
# Of tokenizers that write a space so.
SPACE = "\u2581"


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return value, at


def fields(data):
    """The fields of a message (protobuf.dev/programming-guides/encoding): numbers with their bytes or integers."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at) if kind == 2 else ({1: 8, 5: 4}[kind], at)
            value, at = data[at : at + size], at + size
        yield key >> 3, value


def sentencepiece(path):
    """The tokenizer of a file of SentencePiece (sentencepiece_model.proto: pieces 1, trainer 2, normalizer 3)."""
    import struct

    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

    with open(path, "rb") as file:
        model = list(fields(file.read()))
    pieces = [dict(fields(value)) for number, value in model if number == 1]
    trainer = dict(field for number, value in model if number == 2 for field in fields(value))
    normalizer = dict(field for number, value in model if number == 3 for field in fields(value))
    vocabulary = [(piece[1].decode(), struct.unpack("<f", piece.get(2, bytes(4)))[0]) for piece in pieces]
    unknown = next((index for index, piece in enumerate(pieces) if piece.get(3) == 2), 0)
    if trainer.get(3, 1) == 2:
        ids = {text: index for index, (text, _) in enumerate(vocabulary)}
        merges = sorted(
            (-score, ids[text[:at]], ids[text[at:]], text[:at], text[at:])
            for text, score in vocabulary
            for at in range(1, len(text))
            if text[:at] in ids and text[at:] in ids
        )
        tokenizer = Tokenizer(
            models.BPE(ids, [(left, right) for *_, left, right in merges], unk_token=vocabulary[unknown][0], fuse_unk=True)
        )
    else:
        tokenizer = Tokenizer(models.Unigram(vocabulary, unknown, False))
    steps = [normalizers.Precompiled(normalizer[2])] if normalizer.get(2) else []
    tokenizer.normalizer = normalizers.Sequence([*steps, normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement=SPACE, prepend_scheme="always")
    return tokenizer


def tokenizers_of(folder):
    """Of the source and of the target."""
    from tokenizers import Tokenizer

    def path(name):
        found = os.path.join(folder, name)
        return found if os.path.exists(found) else None

    if path("tokenizer.json"):
        both = Tokenizer.from_file(path("tokenizer.json"))
        return both, both
    if path("source.spm") and path("target.spm"):
        return sentencepiece(path("source.spm")), sentencepiece(path("target.spm"))
    for name in ("sentencepiece.bpe.model", "sentencepiece.model", "spm.model"):
        if path(name):
            both = sentencepiece(path(name))
            return both, both
    raise FileNotFoundError("no tokenizer.json, source.spm and target.spm, or sentencepiece.bpe.model in the folder")


def vocabulary_of(folder):
    for name in ("shared_vocabulary", "source_vocabulary"):
        if os.path.exists(path := os.path.join(folder, name + ".json")):
            with open(path, encoding="utf-8") as file:
                return json.load(file)
        if os.path.exists(path := os.path.join(folder, name + ".txt")):
            with open(path, encoding="utf-8") as file:
                return file.read().split("\n")
    raise FileNotFoundError("no shared_vocabulary or source_vocabulary in the folder")


class Model:
    def __init__(self, folder, threads):
        import ctranslate2

        self.version = ctranslate2.__version__
        self.translator = ctranslate2.Translator(folder, device="cpu", compute_type="auto", intra_threads=threads)
        self.source, self.target = tokenizers_of(folder)
        self.languages = [token for token in vocabulary_of(folder) if LANGUAGE.fullmatch(token)]
        config = os.path.join(folder, "config.json")
        with open(config, encoding="utf-8") as file:
            # Of some models CTranslate2 adds it.
            self.end = [] if json.load(file).get("add_source_eos") else [END]

    def parts(self, text):
        """The tokens of a text, at most so many in a part."""
        parts = [[]]
        for token in self.source.encode(text, add_special_tokens=False).tokens:
            if SPECIAL.fullmatch(token):
                continue
            full = len(parts[-1]) >= MOST_TOKENS
            if len(parts[-1]) >= 2 * MOST_TOKENS or (full and token.startswith(SPACE)):
                parts.append([])
            parts[-1].append(token)
        return [part for part in parts if part]

    def translate(self, parts, source_prefix, target_prefix):
        found = self.translator.translate_batch(
            [[*source_prefix, *part, *self.end] for part in parts],
            target_prefix=[target_prefix] * len(parts) if target_prefix else None,
            max_batch_size=16,
            max_decoding_length=50 + 2 * max(map(len, parts)),
            disable_unk=True,
        )
        return [self.text(result.hypotheses[0][len(target_prefix) :]) for result in found]

    def text(self, tokens):
        plain = [token for token in tokens if not SPECIAL.fullmatch(token)]
        decoder = self.target.decoder
        return (decoder.decode(plain) if decoder else "".join(plain).replace(SPACE, " ")).strip()


def load(folder, threads):
    model = Model(folder, threads)
    return model, model.languages, model.version


def answer(model, request, _payload):
    parts = [model.parts(text) for text in request["texts"]]
    flat = [part for some in parts for part in some]
    texts = iter(model.translate(flat, request["source_prefix"], request["target_prefix"]) if flat else [])
    for some in parts:
        yield {"text": " ".join(next(texts) for _ in some).strip()}
