/** The limits of the programs leave room for whatever may be submitted, and are the same on every machine. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { transcodeConfig } from '../../src/config.ts';
import { fixedLimits } from '../../src/domain/source/policy.ts';
import { presets } from '../../src/domain/plan/effort.ts';
import { planEncode } from '../../src/domain/plan/encode-plan.ts';
import { encodeNeeds, jobLimits, pixelsOf, toolLimits } from '../../src/domain/plan/work-estimate.ts';
import { probeOf, scanOf, sound } from './probe-of.ts';

/** Pixels that a core of a slow machine, a quarter of the measured one, decodes and encodes (preset medium) in a second. */
const slowCore = { decoded: 60_000_000, encoded: 4_500_000 };
const GIB = 2 ** 30;
const caps = { seconds: 6 * 3_600, rate: 240, pixels: 8_192 * 4_320 };
const rules = { wholeBelowSeconds: 120, pieceSeconds: 60 };

function planOf(width: number, height: number, rate: number, seconds: number) {
  const pictures = Math.max(1, Math.round(rate * seconds));
  const times = Float64Array.from({ length: pictures }, (_, index) => index / rate);
  const keys = times.filter((_, index) => index % Math.ceil(2 * rate) === 0);
  const end = pictures / rate;
  const scan = scanOf({ times, keys, end, audio: { start: 0, end } });
  return planEncode(
    probeOf({ width, height, tick: 1 / 90_000 }, { audio: sound }),
    scan,
    { bytes: GIB, trailing: false },
    rules,
  );
}

const sizes = fc
  .record({ width: fc.integer({ min: 16, max: 8_192 }), height: fc.integer({ min: 16, max: 8_192 }) })
  .filter(({ width, height }) => width * height <= caps.pixels);

describe('the limits of the programs', () => {
  it('decoding all pictures of a video within the caps takes a slow core half of its processor time at most', () =>
    fc.assert(
      fc.property(
        sizes,
        fc.double({ min: 0.1, max: caps.rate, noNaN: true }),
        fc.integer({ min: 1, max: caps.seconds }),
        (size, rate, seconds) => {
          const pictures = Math.ceil(rate * seconds);
          const needed = (size.width * size.height * pictures) / slowCore.decoded;
          const { cpuSeconds, timeoutMs } = toolLimits({ pixels: pixelsOf(size, pictures), bytes: 0 });
          expect(needed).to.be.at.most(cpuSeconds / 2);
          expect(timeoutMs).to.be.at.least(2 * cpuSeconds * 1_000);
        },
      ),
      { numRuns: runs(200) },
    ));

  it('four hours of 1080p at 60 a second can be decoded by one core, and so can four hours of 8K', () => {
    const pictures = 4 * 3_600 * 60;
    for (const size of [
      { width: 1_920, height: 1_080 },
      { width: 7_680, height: 4_320 },
    ])
      expect((size.width * size.height * pictures) / slowCore.decoded).to.be.below(
        toolLimits({ pixels: pixelsOf(size, pictures), bytes: 0 }).cpuSeconds,
      );
  });

  it('every piece of a video, with any preset, takes a slow core its processor time at most', () =>
    fc.assert(
      fc.property(
        sizes,
        fc.integer({ min: 1, max: caps.rate }),
        fc.integer({ min: 1, max: 200 }),
        ({ width, height }, rate, seconds) => {
          const plan = planOf(width, height, rate, seconds);
          for (const { index, from = 0, until } of plan.pieces) {
            const length = until - from;
            const encoded = plan.rungs.reduce((sum, rung) => sum + rung.width * rung.height, 0);
            // A run-up as long as the piece is decoded with it.
            const needed =
              (2 * length * rate * width * height) / slowCore.decoded +
              (length * Math.min(60, rate) * encoded) / slowCore.encoded;
            const { cpuSeconds } = jobLimits(plan, { kind: 'piece', index }, GIB);
            expect(needed).to.be.at.most(cpuSeconds);
          }
        },
      ),
      { numRuns: runs(60) },
    ));

  it('an encoder has no more threads than memory for them, and always one', () =>
    fc.assert(
      fc.property(
        sizes,
        fc.constantFrom(...presets),
        fc.nat(64),
        fc.integer({ min: 1, max: 128 }),
        fc.integer({ min: 256, max: 16_384 }),
        ({ width, height }, preset, wanted, cores, mebibytes) => {
          const plan = planOf(width, height, 25, 1);
          const machine = { cores, memoryBytes: mebibytes * 2 ** 20 };
          const { threads, memoryBytes } = encodeNeeds(plan, { preset, threads: wanted }, machine);
          const one = encodeNeeds(plan, { preset, threads: 1 }, machine).memoryBytes;
          expect(threads).to.be.within(1, Math.min(16, wanted || cores));
          expect(memoryBytes).to.be.at.most(Math.max(one, machine.memoryBytes));
          expect(memoryBytes).to.be.at.least(one);
        },
      ),
    ));

  it('a source costs more the more of it there is, and a small one cannot hold a core for long', () => {
    const base = toolLimits({ pixels: 0, bytes: 0 }).cpuSeconds;
    expect(base).to.be.below(600);
    fc.assert(
      fc.property(fc.nat(1e12), fc.nat(1e12), fc.nat(8 * GIB), (pixels, more, bytes) => {
        const limit = toolLimits({ pixels, bytes });
        expect(toolLimits({ pixels: pixels + more, bytes }).cpuSeconds).to.be.at.least(limit.cpuSeconds);
        expect(toolLimits({ pixels, bytes: bytes + more }).timeoutMs).to.be.at.least(limit.timeoutMs);
      }),
    );
    const { cpuSeconds } = jobLimits(planOf(640, 360, 25, 10), { kind: 'piece', index: 0 }, 1_000_000);
    expect(cpuSeconds).to.be.below(2 * base);
  });

  it('the caps that the limits are derived for are the defaults of the settings', () => {
    const [variable, read] = transcodeConfig.maxDurationMs;
    expect(read(undefined, variable)).to.equal(caps.seconds * 1_000);
    expect(fixedLimits).to.include({ maxFrameRate: caps.rate, maxPixels: caps.pixels });
  });
});
