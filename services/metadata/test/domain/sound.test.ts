/** Classification of seconds of sound, from numbers and from synthetic sound. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import type { AnalyzedSecond } from '@vds/chassis/sound/features';
import { classify } from '@vds/chassis/sound/classes';
import { soundMeter, SOUND_RATE } from '@vds/chassis/sound/features';
import { silentIntervals, soundLabels } from '../../src/domain/sound/labels.ts';
import { powerSpectrum, TRANSFORM_SIZE } from '@vds/chassis/sound/spectrum';

function measure(seconds: number, wave: (at: number) => number): readonly AnalyzedSecond[] {
  const meter = soundMeter();
  for (let index = 0; index < seconds * SOUND_RATE; index++) meter.add(Math.round(32_767 * wave(index / SOUND_RATE)));
  return meter.end();
}

/** The same noise in each run (a linear congruential generator; Numerical Recipes). */
function noise() {
  let state = 1;
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const anySecond: fc.Arbitrary<AnalyzedSecond> = fc.tuple(
  fc.integer({ min: -100, max: 0 }),
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 600 }),
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 100 }),
);

describe('measurements and labels of sound', () => {
  it('the power spectrum of a tone peaks at its frequency', () => {
    const bin = 40;
    const tone = Float64Array.from({ length: TRANSFORM_SIZE }, (_value, at) =>
      Math.sin((2 * Math.PI * bin * at) / TRANSFORM_SIZE),
    );
    const power = powerSpectrum(tone);
    expect(power.indexOf(Math.max(...power))).to.equal(bin);
  });

  it('classify distinguishes silence, noise, music and speech', () => {
    const random = noise();
    const waves = {
      silent: () => 0,
      noise: () => 0.3 * random(),
      music: (at: number) => 0.2 * [262, 330, 392].reduce((sum, hertz) => sum + Math.sin(2 * Math.PI * hertz * at), 0),
      speech: (at: number) => {
        const pitch = 120 + 30 * Math.sin(2 * Math.PI * 0.7 * at);
        const voice = [1, 4, 7, 11, 16].reduce(
          (sum, step) => sum + Math.sin(2 * Math.PI * pitch * step * at + step),
          0,
        );
        return 0.1 * voice * Math.max(0, Math.sin(2 * Math.PI * 4 * at)) ** 2;
      },
    };
    for (const [name, wave] of Object.entries(waves)) {
      const classes = classify(measure(4, wave));
      expect(classes.slice(1), name).to.deep.equal([name, name, name]);
    }
  });

  it('labels of any seconds have values within bounds and spans within the sound', () => {
    fc.assert(
      fc.property(fc.array(anySecond, { maxLength: 120 }), (seconds) => {
        const endMs = seconds.length * 1_000;
        for (const { confidence, value, spans } of soundLabels(seconds, [])) {
          expect(confidence).to.be.within(0, 1);
          if (value !== undefined) expect(value).to.be.within(0, 1);
          for (const span of spans) {
            expect(span.startMs).to.be.at.least(0);
            expect(span.endMs).to.be.within(span.startMs + 1, endMs);
          }
        }
        for (const span of silentIntervals(seconds, endMs)) expect(span.endMs - span.startMs).to.be.at.least(2_000);
      }),
      { numRuns: runs(200) },
    );
  });

  it('a crowd peaks where noise is louder than the rest, and never where the noise is constant', () => {
    const calm: AnalyzedSecond = [-40, 30, 40, 40, 10];
    const roar: AnalyzedSecond = [-15, 56, 10, 1, 0];
    const peak = soundLabels(
      [...Array<AnalyzedSecond>(10).fill(calm), roar, roar, roar, ...Array<AnalyzedSecond>(5).fill(calm)],
      [],
    );
    expect(peak.find(({ name }) => name === 'audio:crowd_peak')?.spans).to.deep.equal([
      { startMs: 10_000, endMs: 13_000 },
    ]);
    const rain = soundLabels(Array<AnalyzedSecond>(20).fill(roar), []);
    expect(rain.map(({ name }) => name)).to.not.include('audio:crowd_peak');
  });

  it('seconds that the transcript covers count as speech', () => {
    const seconds = Array<AnalyzedSecond>(10).fill([-20, 30, 40, 40, 10]);
    const [label] = soundLabels(seconds, [{ startMs: 2_000, endMs: 5_400, text: 'what a save' }]);
    expect(label).to.deep.equal({
      name: 'audio:speech',
      source: 'transcript',
      confidence: 0.9,
      spans: [],
      value: 0.34,
    });
  });
});
