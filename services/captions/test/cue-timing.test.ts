import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { commentary, speakTrack } from '@vds/testkit/media/commentary';
import { buildSpokenCues } from '../src/domain/layout/build-cues.ts';
import { alignWords } from '../src/domain/speech/align-words.ts';
import { envelopeOf } from '../src/domain/speech/envelope.ts';
import { pitchesOf } from '../src/domain/speech/pitch.ts';
import { markSpeakers } from '../src/domain/speech/speakers.ts';
import { sentencesOf } from '../src/domain/speech/sentences.ts';
import { openWhisper } from '../src/outbound/engines/whisper.ts';
import { whisperOptions } from './engines/whisper-processes.ts';

describe('cue timing of recognized speech', () => {
  it('nine of ten cues begin within 300 ms of the sentence that they show, none is left out, and changes of speaker are marked', async function () {
    const scratch = await mkdtemp(join(tmpdir(), 'vds-cue-timing-'));
    const options = await whisperOptions(scratch);
    if (!options) return skipBecause(this, 'faster-whisper or its model is not installed');
    const engine = await openWhisper(options);
    try {
      const track = await speakTrack(commentary.slice(0, 4), join(scratch, 'speech.wav'));
      const input = { wavPath: track.path, language: 'en', durationMs: track.durationMs, offsetMs: 0 };
      const found = await engine.transcribe(input, new AbortController().signal, () => undefined);
      const samples = new Int16Array((await readFile(track.path)).buffer.slice(44));
      const sound = { levels: envelopeOf(samples, 16_000), offsetMs: 0 };
      const words = markSpeakers(alignWords(found, sound), sound, pitchesOf(samples, 16_000));
      const { sentences } = buildSpokenCues(sentencesOf(words, 'en'), 'en', track.durationMs);
      const starts = sentences.flatMap(({ cues }) => cues[0]?.startMs ?? []);
      const near = starts.filter((start) => track.sentences.some(({ startMs }) => Math.abs(start - startMs) <= 300));
      assert.isAtLeast(near.length / starts.length, 0.9, JSON.stringify(starts));
      // Two voices alternate.
      const turns = sentences.filter(({ turn }) => turn).map(({ startMs }) => startMs);
      const changes = track.sentences.slice(1).map(({ startMs }) => startMs);
      assert.isAtLeast(turns.length, 2, JSON.stringify(turns));
      for (const turn of turns)
        assert.isTrue(
          changes.some((startMs) => Math.abs(turn - startMs) <= 300),
          `${turn}`,
        );
      for (const { startMs, endMs, text } of track.sentences) {
        assert.isTrue(
          starts.some((start) => start > startMs - 500 && start < endMs),
          text,
        );
      }
    } finally {
      await engine.close?.();
      await rm(scratch, { recursive: true, force: true });
    }
  }).timeout(120_000);
});
