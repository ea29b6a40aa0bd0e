/** A decoder that writes pictures without reporting their times: the analysis still ends. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { createLogger } from '@vds/chassis/telemetry/log';
import type { Objects } from '@vds/chassis/objects/objects';
import { readText } from '../src/outbound/read-text.ts';

describe('text on screen', () => {
  let scratch: string;
  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'vds-notes-'));
  });
  after(() => rm(scratch, { recursive: true }));

  it('is given up where nobody says when the pictures are', async () => {
    const ffmpeg = join(scratch, 'decoder');
    await writeFile(ffmpeg, '#!/bin/sh\nhead -c 64 /dev/zero >&3\n');
    await chmod(ffmpeg, 0o755);
    const media = { getStream: async () => Readable.from([Buffer.alloc(8)]) } as unknown as Objects;
    const log = createLogger('metadata', 'error', { write: () => {} });
    const tools = { ffmpeg, tesseract: undefined, sandbox: 'limits', memoryBytes: 2 ** 32, log } as const;
    const desk = { scratch, signal: new AbortController().signal, timeoutMs: 5_000, tools, media };
    const span = { startMs: 0, endMs: 6_000 };
    const playlist = { init: 'init.mp4', segments: [{ key: 'one.m4s', ...span }] };
    const readable = { rung: { width: 2, height: 2 }, playlist };
    const found = await readText(desk, readable, [{ ...span, moving: false }], [], span);
    expect(found).to.deep.equal({ texts: [], pictures: 0 });
  });
});
