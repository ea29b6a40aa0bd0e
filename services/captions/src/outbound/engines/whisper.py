"""Transcribes speech with a Whisper model, as model-child.py asks.

A request: {"language": code, "task": "transcribe" or "translate", "hotwords": names, or none} and samples (16 kHz, mono,
16 bit, little endian). The parts of its answer:
{"segment": {"words": [{"text", "start_ms", "end_ms", "confidence"}], "hint", "no_speech", "log_probability", "compression"}}
{"progress": 0 to 1}
A hint is the text of the half minute to which a segment belongs, as it is heard with the hotwords in mind; where that
repeats itself, a line more.
A word's text begins with a space where it does not continue the word before.
"""

import math

RATE = 16000
# Above it a text repeats itself, as of Whisper's authors.
MOST_COMPRESSION = 2.4
# What is decoded: sound in which somebody seems to speak, for longer than a click and without longer pauses.
VAD = {"min_speech_duration_ms": 250, "min_silence_duration_ms": 1000, "speech_pad_ms": 300}


def finite(value, digits, otherwise):
    """JSON has no NaN."""
    return round(float(value), digits) if math.isfinite(value) else otherwise


def load(folder, threads):
    from dataclasses import replace

    import faster_whisper

    class Model(faster_whisper.WhisperModel):
        # What may be spoken.
        hotwords = ""
        # What was heard of the latest window with them in mind.
        hint = ""

        def generate_with_fallback(self, encoder_output, prompt, tokenizer, options):
            """Decodes once more, with a penalty, where the text repeats itself; always the same text for the same sound."""
            # In mind, names lead astray: words around them are lost, and strangers' names heard. So it is another text.
            self.hint = ""
            if self.hotwords:
                # Cut after 223 tokens.
                minded = self.get_prompt(tokenizer, [], hotwords=self.hotwords)
                heard = self.decode(encoder_output, minded, tokenizer, options)
                self.hint = "\n".join(tokenizer.decode(one[0].sequences_ids[0]).strip() for one in heard)
            return self.decode(encoder_output, prompt, tokenizer, options)[-1]

        def decode(self, encoder_output, prompt, tokenizer, options):
            found = super().generate_with_fallback(encoder_output, prompt, tokenizer, options)
            if found[3] <= MOST_COMPRESSION:
                return [found]
            again = replace(options, repetition_penalty=1.2, no_repeat_ngram_size=3)
            return [found, super().generate_with_fallback(encoder_output, prompt, tokenizer, again)]

    model = Model(folder, device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)
    return model, model.supported_languages, faster_whisper.__version__


def answer(model, request, samples):
    import numpy

    sound = numpy.frombuffer(samples, dtype="<i2").astype(numpy.float32) / 32768
    if len(sound) == 0:
        return
    model.hotwords = request["hotwords"]
    segments, _ = model.transcribe(
        sound,
        language=request["language"],
        task=request["task"],
        # The knee of errors against processor time (deploy/guide/speech.md).
        beam_size=2,
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
        yield {"segment": {"words": words, "hint": model.hint, **figures}}
        yield {"progress": round(min(1.0, segment.end * RATE / len(sound)), 3)}
