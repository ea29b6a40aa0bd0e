import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from 'chai';
import { chooseSandbox } from '@vds/chassis/sandbox/sandbox';
import { createLogger } from '@vds/chassis/telemetry/log';
import { readServers } from '@vds/testkit/servers/servers-file';
import { skipBecause } from '@vds/testkit/skip';
import { commentary, speakTrack } from '@vds/testkit/media/commentary';
import { buildSpokenCues } from '../src/domain/layout/build-cues.ts';
import { sentencesOf } from '../src/domain/speech/sentences.ts';
import { openPocketsphinx } from '../src/outbound/engines/pocketsphinx.ts';
import type { SpeechEngine } from '../src/outbound/engines/speech-engine.ts';

async function openEngine(python: string): Promise<SpeechEngine> {
  return openPocketsphinx({
    python,
    sandbox: await chooseSandbox(),
    memoryBytes: 4_096 * 2 ** 20,
    niceness: 0,
    timeoutMs: 120_000,
    log: createLogger('captions', 'silent'),
  });
}

describe('cue timing of recognized speech', () => {
  it('nine of ten cues begin within 300 ms of the sentence that they show, and no sentence is left out', async function () {
    const { speechPython } = readServers();
    if (!speechPython) return skipBecause(this, 'pocketsphinx is not installed');
    const engine = await openEngine(speechPython);
    const scratch = await mkdtemp(join(tmpdir(), 'vds-cue-timing-'));
    try {
      const track = await speakTrack(commentary.slice(0, 4), join(scratch, 'speech.wav'));
      const input = { wavPath: track.path, language: 'en', durationMs: track.durationMs, offsetMs: 0 };
      const words = await engine.transcribe(input, new AbortController().signal, () => undefined);
      const { sentences } = buildSpokenCues(sentencesOf(words, 'en'), 'en', track.durationMs);
      const starts = sentences.flatMap(({ cues }) => cues[0]?.startMs ?? []);
      const near = starts.filter((start) => track.sentences.some(({ startMs }) => Math.abs(start - startMs) <= 300));
      assert.isAtLeast(near.length / starts.length, 0.9, JSON.stringify(starts));
      for (const { startMs, endMs, text } of track.sentences) {
        assert.isTrue(
          starts.some((start) => start > startMs - 500 && start < endMs),
          text,
        );
      }
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }).timeout(120_000);
});
