import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { encodeSound } from '../../src/domain/jobs/encode-sound.ts';
import type { EncodePorts } from '../../src/domain/jobs/encode-ports.ts';
import { planEncode } from '../../src/domain/plan/encode-plan.ts';
import { probeOf, scanOf, sound } from './probe-of.ts';

const rules = { wholeBelowSeconds: 60, pieceSeconds: 60 };
const scan = scanOf({ times: Float64Array.of(0, 1), keys: Float64Array.of(0), end: 2, audio: { start: 0, end: 2 } });
const plan = planEncode(probeOf({}, { audio: sound, audioStreams: 1 }), scan, { bytes: 1_000, trailing: false }, rules);

function failed(): Promise<never> {
  return Promise.reject(new AppError('INTERNAL', 'ffmpeg ended with 1', { reason: 'tool_failed' }));
}

/** Ports with a mixer that fails. @param decode whether decoding alone fails */
function portsWith(decode: () => Promise<void>): EncodePorts {
  const nothing = () => Promise.resolve();
  return {
    folder: 'audio.1',
    fetch: nothing,
    fetchBytes: nothing,
    packets: () => Promise.resolve(Buffer.alloc(0)),
    readWhole: () => undefined,
    copyRejected: () => undefined,
    ffmpeg: decode,
    ffmpegs: failed,
    put: nothing,
    move: nothing,
    read: () => Promise.resolve(undefined),
    progress: () => undefined,
  };
}

async function reasonWith(decode: () => Promise<void>): Promise<unknown> {
  return encodeSound(portsWith(decode), plan, 0).then(
    () => undefined,
    (error: unknown) => (error as AppError).reason,
  );
}

describe('encodeSound', () => {
  it('a tool that fails on sound that can be decoded does not make the file a damaged one', async () => {
    expect(await reasonWith(() => Promise.resolve())).to.equal('tool_failed');
  });

  it('sound that cannot be decoded even by itself means source_corrupt', async () => {
    expect(await reasonWith(failed)).to.equal('source_corrupt');
  });
});
