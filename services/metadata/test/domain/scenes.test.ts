/** Shots and scenes of any cuts. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import type { AnalyzedShot } from '../../src/domain/analysis.ts';
import { groupScenes, joinShots } from '../../src/domain/picture/scenes.ts';
import { spanAt, spanCount } from '../../src/domain/span.ts';

const BINS = 150;
function shotOf(startMs: number, endMs: number, colour: number, more: Partial<AnalyzedShot> = {}): AnalyzedShot {
  return {
    startMs,
    endMs,
    cut: true,
    certainty: 0.8,
    colours: Array.from({ length: BINS }, (_bin, index) => (index === colour ? 1_000 : 0)),
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
const anyVideo = fc
  .record({
    durationMs: fc.integer({ min: 1, max: 21_600_000 }),
    cuts: fc.array(
      fc.record({
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        colour: fc.nat(BINS - 1),
        certainty: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 60 },
    ),
  })
  .map(({ durationMs, cuts }) => {
    const cutStarts = cuts.map(({ share, ...cut }) => ({ ...cut, atMs: Math.floor(share * durationMs), cut: true }));
    const spanStarts = Array.from({ length: spanCount(durationMs) }, (_span, index) => ({
      atMs: spanAt(durationMs, index).startMs,
      cut: false,
      colour: 0,
      certainty: 0,
    }));
    const starts = [...spanStarts, ...cutStarts]
      .sort((a, b) => a.atMs - b.atMs)
      .filter(({ atMs }, index, all) => atMs < durationMs && (index === 0 || all[index - 1]?.atMs !== atMs));
    const shots = starts.map(({ atMs, colour, ...one }, index) =>
      shotOf(atMs, starts[index + 1]?.atMs ?? durationMs, colour, one),
    );
    return { durationMs, shots };
  });

const rules = { leastMs: 2_500, mostMs: 120_000, apart: 0.4 };

function expectCover(parts: readonly { readonly startMs: number; readonly endMs: number }[], durationMs: number): void {
  expect(parts[0]?.startMs).to.equal(0);
  expect(parts.at(-1)?.endMs).to.equal(durationMs);
  parts.slice(1).forEach(({ startMs }, index) => expect(startMs).to.equal(parts[index]?.endMs));
  for (const { startMs, endMs } of parts) expect(endMs).to.be.greaterThan(startMs);
}

describe('scenes', () => {
  it('scenes cover a video of any cuts without gap or overlap', () => {
    fc.assert(
      fc.property(anyVideo, fc.integer({ min: 1, max: 50 }), ({ durationMs, shots }, most) => {
        const joined = joinShots(shots, durationMs, most);
        expect(joined.length).to.be.at.most(most);
        expectCover(joined, durationMs);
        const scenes = groupScenes(joined, rules);
        expectCover(scenes, durationMs);
        for (const { startMs, endMs, thumbnailMs } of scenes) expect(thumbnailMs).to.be.within(startMs, endMs - 1);
      }),
      { numRuns: runs(200) },
    );
  });

  it('scenes are too short only where the video is, and too long only where one shot is', () => {
    fc.assert(
      fc.property(anyVideo, ({ durationMs, shots }) => {
        const joined = joinShots(shots, durationMs, 5_000);
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

  it('alternating shots of similar colours form one scene, and shots of other colours start the next', () => {
    const shots = [0, 1, 0, 1, 0, 7, 7].map((colour, index) => shotOf(index * 4_000, (index + 1) * 4_000, colour));
    const apart = groupScenes(shots, { ...rules, apart: 0.4 });
    expect(apart.map(({ startMs }) => startMs)).to.deep.equal([0, 4_000, 8_000, 12_000, 16_000, 20_000]);
    const near = shots.map((shot, index) =>
      index < 5
        ? { ...shot, colours: shot.colours.map((_share, bin) => (bin < 2 ? (bin === index % 2 ? 700 : 300) : 0)) }
        : shot,
    );
    expect(groupScenes(near, rules).map(({ startMs }) => startMs)).to.deep.equal([0, 20_000]);
  });

  it('a shot that continues over the end of a span is joined and keeps the better thumbnail', () => {
    const joined = joinShots(
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
  it('spans cover a video of any length without gap or overlap and are bounded in length', () => {
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
