/** Shots and scenes, whatever the cuts. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import type { AnalyzedShot } from '../../src/domain/analysis.ts';
import { groupScenes, joinSpans } from '../../src/domain/picture/scenes.ts';
import { spanAt, spanCount } from '../../src/domain/span.ts';

const bins = 150;
function shotOf(startMs: number, endMs: number, colour: number, more: Partial<AnalyzedShot> = {}): AnalyzedShot {
  return {
    startMs,
    endMs,
    cut: true,
    certainty: 0.8,
    colours: Array.from({ length: bins }, (_bin, index) => (index === colour ? 1_000 : 0)),
    motion: 5,
    pan: 0,
    flat: 0.2,
    brightness: 100,
    thumbnailMs: Math.floor((startMs + endMs) / 2),
    thumbnailWorth: 10,
    ...more,
  };
}

/** Any video: its length, and shots over all its spans as the analyses find them. */
const anyTitle = fc
  .record({
    durationMs: fc.integer({ min: 1, max: 21_600_000 }),
    cuts: fc.array(
      fc.record({
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        colour: fc.nat(bins - 1),
        certainty: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 60 },
    ),
  })
  .map(({ durationMs, cuts }) => {
    const marks = cuts.map(({ share, ...cut }) => ({ ...cut, atMs: Math.floor(share * durationMs), cut: true }));
    const seams = Array.from({ length: spanCount(durationMs) }, (_span, index) => ({
      atMs: spanAt(durationMs, index).startMs,
      cut: false,
      colour: 0,
      certainty: 0,
    }));
    const starts = [...seams, ...marks]
      .sort((a, b) => a.atMs - b.atMs)
      .filter(({ atMs }, place, all) => atMs < durationMs && (place === 0 || all[place - 1]?.atMs !== atMs));
    const shots = starts.map(({ atMs, colour, ...one }, place) =>
      shotOf(atMs, starts[place + 1]?.atMs ?? durationMs, colour, one),
    );
    return { durationMs, shots };
  });

const rules = { leastMs: 2_500, mostMs: 120_000, apart: 0.4 };

function expectCover(parts: readonly { readonly startMs: number; readonly endMs: number }[], durationMs: number): void {
  expect(parts[0]?.startMs).to.equal(0);
  expect(parts.at(-1)?.endMs).to.equal(durationMs);
  parts.slice(1).forEach(({ startMs }, place) => expect(startMs).to.equal(parts[place]?.endMs));
  for (const { startMs, endMs } of parts) expect(endMs).to.be.greaterThan(startMs);
}

describe('scenes', () => {
  it('cover a title without gap or overlap, whatever its cuts', () => {
    fc.assert(
      fc.property(anyTitle, fc.integer({ min: 1, max: 50 }), ({ durationMs, shots }, most) => {
        const joined = joinSpans(shots, durationMs, most);
        expect(joined.length).to.be.at.most(most);
        expectCover(joined, durationMs);
        const scenes = groupScenes(joined, rules);
        expectCover(scenes, durationMs);
        for (const { startMs, endMs, thumbnailMs } of scenes) expect(thumbnailMs).to.be.within(startMs, endMs - 1);
      }),
      { numRuns: runs(200) },
    );
  });

  it('are never too short, but for a title that is, and too long only where one shot is', () => {
    fc.assert(
      fc.property(anyTitle, ({ durationMs, shots }) => {
        const joined = joinSpans(shots, durationMs, 5_000);
        const scenes = groupScenes(joined, rules);
        if (scenes.length > 1)
          for (const { startMs, endMs } of scenes) expect(endMs - startMs).to.be.at.least(rules.leastMs);
        const longestShot = Math.max(...joined.map(({ startMs, endMs }) => endMs - startMs));
        for (const { startMs, endMs } of scenes)
          expect(endMs - startMs).to.be.at.most(Math.max(rules.mostMs, longestShot) + 20 * rules.leastMs);
      }),
      { numRuns: runs(200) },
    );
  });

  it('keep together what takes turns and part what looks different', () => {
    const shots = [0, 1, 0, 1, 0, 7, 7].map((colour, place) => shotOf(place * 4_000, (place + 1) * 4_000, colour));
    const apart = groupScenes(shots, { ...rules, apart: 0.4 });
    expect(apart.map(({ startMs }) => startMs)).to.deep.equal([0, 4_000, 8_000, 12_000, 16_000, 20_000]);
    const near = shots.map((shot, place) =>
      place < 5
        ? { ...shot, colours: shot.colours.map((_share, bin) => (bin < 2 ? (bin === place % 2 ? 700 : 300) : 0)) }
        : shot,
    );
    expect(groupScenes(near, rules).map(({ startMs }) => startMs)).to.deep.equal([0, 20_000]);
  });

  it('join a shot that goes on over the end of a span, and keep the better thumbnail', () => {
    const joined = joinSpans(
      [
        shotOf(0, 300_000, 1, { thumbnailMs: 5, thumbnailWorth: 1 }),
        shotOf(300_000, 310_000, 1, { cut: false, thumbnailMs: 305_000, thumbnailWorth: 9 }),
        shotOf(310_000, 320_000, 2),
      ],
      320_000,
      100,
    );
    expect(joined.map(({ startMs, thumbnailMs }) => [startMs, thumbnailMs])).to.deep.equal([
      [0, 305_000],
      [310_000, 315_000],
    ]);
  });
});

describe('spans', () => {
  it('cut a title of any length into pieces of bounded length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 21_600_000 }), (durationMs) => {
        const spans = Array.from({ length: spanCount(durationMs) }, (_span, index) => spanAt(durationMs, index));
        expectCover(spans, durationMs);
        for (const { startMs, endMs } of spans) expect(endMs - startMs).to.be.at.most(450_001);
      }),
      { numRuns: runs(200) },
    );
  });
});
