"""Transcribes English in a WAV file (16 kHz, mono, 16 bit) and prints JSON lines:

{"segment": n, "text": "word", "start_ms": n, "end_ms": n, "confidence": 0 to 1}   as words are found
{"progress": 0 to 1}                                                              after each segment of speech

Arguments: the folder that holds the package pocketsphinx, the WAV file. Needs nothing beyond that package.
"""

import json
import sys
import wave

sys.path.insert(0, sys.argv[1])

from pocketsphinx import Config, Decoder, Endpointer  # noqa: E402

RATE = 16000
# Fewer active models at a time: half the processor time on hard sound; no more wrong words were measured.
MAX_ACTIVE_MODELS = 3000
# The decoder's lattice grows with a segment: longer ones are cut where their last seconds are quietest.
LONGEST_SECONDS = 25
CUT_WITHIN_SECONDS = 5


def loudness(frame):
    samples = memoryview(frame).cast("h")
    return sum(map(abs, samples)) / max(1, len(samples))


def quietest(frames, first):
    return min(range(first, len(frames)), key=lambda index: loudness(frames[index]))


def segments(wav):
    """Yields (start in seconds, samples, part of the file read) for each segment that may be speech."""
    endpointer = Endpointer(sample_rate=RATE)
    size = endpointer.frame_bytes // 2
    seconds = endpointer.frame_length
    longest, tail = int(LONGEST_SECONDS / seconds), int(CUT_WITHIN_SECONDS / seconds)
    total, read, held, start = max(1, wav.getnframes()), 0, [], 0.0
    while True:
        frame = wav.readframes(size)
        if not frame:
            break
        read += len(frame) // 2
        was_speech = endpointer.in_speech
        whole = len(frame) == endpointer.frame_bytes
        speech = endpointer.process(frame) if whole else endpointer.end_stream(frame)
        if speech is not None:
            if not held and not was_speech:
                start = endpointer.speech_start
            held.append(speech)
            if not endpointer.in_speech:
                yield start, held, read / total
                held = []
            elif len(held) >= longest:
                cut = quietest(held, len(held) - tail)
                yield start, held[:cut], read / total
                start += sum(map(len, held[:cut])) / 2 / RATE
                held = held[cut:]
    if held:
        yield start, held, 1.0


def emit(line):
    print(json.dumps(line), flush=True)


def main():
    with wave.open(sys.argv[2]) as wav:
        if (wav.getframerate(), wav.getnchannels(), wav.getsampwidth()) != (RATE, 1, 2):
            sys.exit("not a WAV file of 16 kHz, mono, 16 bit")
        decoder = Decoder(Config(maxhmmpf=MAX_ACTIVE_MODELS, loglevel="FATAL"))
        for number, (start, frames, part) in enumerate(segments(wav)):
            decoder.start_utt()
            decoder.process_raw(b"".join(frames), full_utt=True)
            decoder.end_utt()
            for word in decoder.seg() or []:
                # <sil>, [NOISE], ++UM++: nothing that is spoken.
                if word.word[0] in "<[+":
                    continue
                emit(
                    {
                        "segment": number,
                        "text": word.word.split("(")[0],
                        "start_ms": round(start * 1000) + word.start_frame * 10,
                        "end_ms": round(start * 1000) + (word.end_frame + 1) * 10,
                        "confidence": round(min(1.0, max(0.0, word.prob)), 3),
                    }
                )
            emit({"progress": round(part, 3)})


main()
