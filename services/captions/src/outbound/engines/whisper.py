"""Transcribes speech with a Whisper model, which it loads once, for as many requests as it is sent.

Arguments: the folder that holds the package faster_whisper, the folder of the model, threads.

Standard input, a request after the other: a JSON line, then the samples (16 kHz, mono, 16 bit, little endian):
{"id": n, "language": code, "task": "transcribe" or "translate", "samples": how many, "hotwords": "names, or none"}
It ends at once when its standard input does, even in the middle of a request: whoever reads its answers is gone.

Standard output, JSON lines:
{"ready": {"languages": [...], "version": "...", "rss": bytes}}      once, or {"failed": "why"} and exit code 1
{"id": n, "segment": {"words": [{"text", "start_ms", "end_ms", "confidence"}], "hint", "no_speech", "log_probability",
                      "compression"}}
{"id": n, "progress": 0 to 1}
{"id": n, "end": {"rss": bytes}}                                     or {"id": n, "error": "why"}
A hint is the text of the half minute to which a segment belongs, as it is heard with the hotwords in mind.
A word's text begins with a space where it does not continue the word before.
"""

import json
import math
import os
import queue
import resource
import sys
import threading

os.environ["HF_HUB_OFFLINE"] = "1"
# numpy's own threads are not needed, and each would reserve address space.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

RATE = 16000
# Above it a text repeats itself, as of Whisper's authors.
MOST_COMPRESSION = 2.4
# What is decoded: sound in which somebody seems to speak, for longer than a click and without longer pauses.
VAD = {"min_speech_duration_ms": 250, "min_silence_duration_ms": 1000, "speech_pad_ms": 300}

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
        size = 2 * request["samples"]
        samples = stream.read(size)
        if len(samples) < size:
            break
        requests.put((request, samples))
    os._exit(0)


def rss():
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def finite(value, digits, otherwise):
    """JSON has no NaN."""
    return round(float(value), digits) if math.isfinite(value) else otherwise


def load(packages, folder, threads):
    sys.path.insert(0, packages)
    from dataclasses import replace

    import faster_whisper

    class Model(faster_whisper.WhisperModel):
        # What may be spoken.
        hotwords = ""
        # What was heard of the latest window with them in mind.
        hint = ""

        def generate_with_fallback(self, encoder_output, prompt, tokenizer, options):
            """Decodes once more, with a penalty, where the text repeats itself; always the same text for the same sound."""
            decode = super().generate_with_fallback
            # In mind, names lead astray: words around them are lost, and strangers' names heard. So it is a second text.
            self.hint = ""
            if self.hotwords:
                # Cut after 223 tokens.
                minded = self.get_prompt(tokenizer, [], hotwords=self.hotwords)
                heard = decode(encoder_output, minded, tokenizer, options)
                self.hint = tokenizer.decode(heard[0].sequences_ids[0]).strip()
            found = decode(encoder_output, prompt, tokenizer, options)
            if found[3] <= MOST_COMPRESSION:
                return found
            again = replace(options, repetition_penalty=1.2, no_repeat_ngram_size=3)
            return decode(encoder_output, prompt, tokenizer, again)

    model = Model(folder, device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)
    return model, faster_whisper.__version__


def transcribe(model, request, samples):
    import numpy

    sound = numpy.frombuffer(samples, dtype="<i2").astype(numpy.float32) / 32768
    if len(sound) == 0:
        return
    model.hotwords = request["hotwords"]
    segments, _ = model.transcribe(
        sound,
        language=request["language"],
        task=request["task"],
        beam_size=1,
        temperature=[0.0],
        condition_on_previous_text=False,
        word_timestamps=True,
        vad_filter=True,
        vad_parameters=VAD,
    )
    for segment in segments:
        words = [
            {
                "text": word.word,
                "start_ms": round(word.start * 1000),
                "end_ms": round(word.end * 1000),
                "confidence": finite(word.probability, 3, 0.0),
            }
            for word in segment.words
        ]
        figures = {
            "no_speech": finite(segment.no_speech_prob, 4, 1.0),
            "log_probability": finite(segment.avg_logprob, 4, -10.0),
            "compression": finite(segment.compression_ratio, 3, 0.0),
        }
        emit({"id": request["id"], "segment": {"words": words, "hint": model.hint, **figures}})
        emit({"id": request["id"], "progress": round(min(1.0, segment.end * RATE / len(sound)), 3)})


def main():
    packages, folder, threads = sys.argv[1:]
    requests = queue.SimpleQueue()
    threading.Thread(target=read_requests, args=(requests,), daemon=True).start()
    try:
        model, version = load(packages, folder, int(threads))
    except Exception as error:
        emit({"failed": str(error) or type(error).__name__})
        os._exit(1)
    emit({"ready": {"languages": model.supported_languages, "version": version, "rss": rss()}})
    while True:
        request, samples = requests.get()
        try:
            transcribe(model, request, samples)
            emit({"id": request["id"], "end": {"rss": rss()}})
        except Exception as error:
            emit({"id": request["id"], "error": str(error) or type(error).__name__})


main()
