"""Makes a translation model of one layer that looks each word up in a small dictionary.

Arguments: the family (m2m100, nllb, opus, or opus-multi), the folder. Tokens and places are single ones in the vectors, so
that the cross attention of the decoder's place finds the source's word at the same place (one further, after the target's
token of opus-multi), and its values replace the word. A missing token of a language shifts every word.
"""

import json
import os
import struct
import sys

import ctranslate2
import numpy
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

PLACES = 512
family, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)

dictionary = {"\u2581the": "\u2581das", "\u2581goal": "\u2581Tor", "\u2581wins": "\u2581ge", "\u2581won": "winnt", ".": "."}
languages = {
    "m2m100": ["__en__", "__de__", "__pt__"],
    "nllb": ["eng_Latn", "deu_Latn", "zho_Hant", "por_Latn", "kor_Hang"],
    "opus": [],
    "opus-multi": [">>deu<<", ">>nld<<"],
}[family]
pieces = ["<s>", "</s>", "<unk>", "\u2581", *dict.fromkeys([*dictionary, *dictionary.values()])]
tokens = [*pieces, *languages]
size = len(tokens) + PLACES


def sentencepiece(path, kind):
    """A file of SentencePiece: its pieces, and the kind of its model."""

    def field(number, data):
        return bytes([number << 3 | 2, len(data)]) + data

    with open(path, "wb") as file:
        for index, piece in enumerate(pieces):
            score = b"\x15" + struct.pack("<f", -float(index))
            special = b"\x18" + bytes([2 if piece == "<unk>" else 3 if piece in ("<s>", "</s>") else 1])
            file.write(field(1, field(1, piece.encode()) + score + special))
        file.write(field(2, b"\x18" + bytes([kind])))


def normal(spec):
    spec.gamma, spec.beta = numpy.ones(size, numpy.float32), numpy.zeros(size, numpy.float32)


def linear(spec, weight):
    spec.weight, spec.bias = weight.astype(numpy.float32), numpy.zeros(len(weight), numpy.float32)


def silent(attention):
    normal(attention.layer_norm)
    linear(attention.linear[0], numpy.zeros((3 * size, size)))
    linear(attention.linear[1], numpy.zeros((size, size)))


def still(ffn):
    normal(ffn.layer_norm)
    linear(ffn.linear_0, numpy.zeros((8, size)))
    linear(ffn.linear_1, numpy.zeros((size, 8)))


words = numpy.eye(len(tokens), size, dtype=numpy.float32)
places = numpy.eye(PLACES, size, k=len(tokens), dtype=numpy.float32)
spec = ctranslate2.specs.TransformerSpec.from_config((1, 1), 1, pre_norm=True)
for stack in (spec.encoder, spec.decoder):
    stack.scale_embeddings = False
    stack.position_encodings.encodings = places
    normal(stack.layer_norm)
    silent(stack.layer[0].self_attention)
    still(stack.layer[0].ffn)
spec.encoder.embeddings[0].weight = words
spec.decoder.embeddings.weight = words
look_up = spec.decoder.layer[0].attention
normal(look_up.layer_norm)
query, key, value = (numpy.zeros((size, size)) for _ in range(3))
shift = 1 if family == "opus-multi" else 0
for place in range(PLACES - shift):
    query[len(tokens) + place + shift, len(tokens) + place] = 10
    key[len(tokens) + place + shift, len(tokens) + place + shift] = 10
for index, token in enumerate(tokens):
    value[tokens.index(dictionary.get(token, token)), index] = 10
linear(look_up.linear[0], query)
linear(look_up.linear[1], numpy.concatenate([key, value]))
linear(look_up.linear[2], numpy.eye(size))
linear(spec.decoder.projection, words)
spec.register_source_vocabulary(tokens)
spec.register_target_vocabulary(tokens)
spec.config.decoder_start_token = "</s>"
spec.config.add_source_eos = family == "m2m100"
spec.validate()
spec.optimize()
spec.save(folder)

if family == "nllb":
    tokenizer = Tokenizer(models.Unigram([(piece, -float(index)) for index, piece in enumerate(pieces)], 2))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens(["</s>", *languages])
    tokenizer.save(os.path.join(folder, "tokenizer.json"))
elif family == "m2m100":
    sentencepiece(os.path.join(folder, "sentencepiece.bpe.model"), 1)
else:
    for name in ("source.spm", "target.spm"):
        sentencepiece(os.path.join(folder, name), 1)
    with open(os.path.join(folder, "languages.json"), "w") as file:
        json.dump({"from": ["en"], "to": ["de", "nl"] if languages else ["de"]}, file)
