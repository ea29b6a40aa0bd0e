/** A decoder that writes pictures without their times: the analysis still ends. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLogger } from '@vds/chassis/telemetry/log';
import type { Objects } from '@vds/chassis/objects/objects';
import { limitsOnly } from '@vds/chassis/sandbox/sandbox';
import { recognizeText } from '../src/outbound/recognize-text.ts';

describe('recognizeText', () => {
  let scratch: string;
  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'vds-timestamps-'));
  });
  after(() => rm(scratch, { recursive: true }));

  it('recognizeText returns no texts where the decoder prints no times of its pictures', async () => {
    const ffmpeg = join(scratch, 'decoder');
    await writeFile(ffmpeg, '#!/bin/sh\nhead -c 64 /dev/zero >&3\n');
    await chmod(ffmpeg, 0o755);
    const media: Pick<Objects, 'joinToFile'> = {
      joinToFile: async (_keys, path) => {
        await writeFile(path, '');
        return 0;
      },
    };
    const log = createLogger('metadata', 'error', { write: () => {} });
    const tools = { ffmpeg, tesseract: undefined, sandbox: limitsOnly, memoryBytes: 2 ** 32, log } as const;
    const deps = { scratch, signal: new AbortController().signal, timeoutMs: 5_000, tools, media };
    const span = { startMs: 0, endMs: 6_000 };
    const playlist = { init: 'init.mp4', segments: [{ key: 'one.m4s', ...span }] };
    const rendition = { rung: { width: 2, height: 2 }, playlist };
    const found = await recognizeText(deps, rendition, [{ ...span, moving: false }], [], span);
    expect(found).to.deep.equal({ texts: [], pictures: 0 });
  });
});
