/** From samples to segments and back: players read what the encoder delivered. */
import { expect } from 'chai';
import fc from 'fast-check';
import { childBoxes, findBox, makeBox, makeFullBox, words } from '../../src/domain/cmaf/boxes.ts';
import { createFragmentReader } from '../../src/domain/cmaf/fragment-reader.ts';
import { makeInitSegment, timescaleOf } from '../../src/domain/cmaf/init-segment.ts';
import type { Sample } from '../../src/domain/cmaf/samples.ts';
import { writeSegment } from '../../src/domain/cmaf/segment-writer.ts';
import { cellOf, createSegmenter } from '../../src/domain/cmaf/segmenter.ts';

type Shape = { readonly gap: number; readonly swap: boolean; readonly size: number };

const shapes = fc.array(
  fc.record({ gap: fc.integer({ min: 1, max: 400_000 }), swap: fc.boolean(), size: fc.integer({ min: 0, max: 50 }) }),
  { minLength: 1, maxLength: 120 },
);

/** Closed groups of at most `groupLength` pictures; within a group neighbours may be decoded the other way round. */
function samplesOf(rows: readonly Shape[], groupLength: number, start: number): Sample[] {
  let pts = start;
  const shown = rows.map(({ gap, size }, index) => {
    const sample = { pts, duration: gap, key: index % groupLength === 0, data: Buffer.alloc(size, index) };
    pts += gap;
    return sample;
  });
  const decoded = [...shown];
  rows.forEach(({ swap }, index) => {
    const [here, next] = [decoded[index], decoded[index + 1]];
    if (swap && here && next && !here.key && !next.key) [decoded[index], decoded[index + 1]] = [next, here];
  });
  return decoded;
}

const videos = fc.record({
  rows: shapes,
  groupLength: fc.integer({ min: 1, max: 20 }),
  start: fc.integer({ min: 0, max: 10 ** 10 }),
});
const grid = { cell: 540_000, tolerance: 90 };
const SHIFT = 1_000_000;

function segmentsOf({ rows, groupLength, start }: { rows: Shape[]; groupLength: number; start: number }) {
  const samples = samplesOf(rows, groupLength, start);
  const end = start + rows.reduce((sum, { gap }) => sum + gap, 0);
  const segmenter = createSegmenter(grid);
  const groups = [...samples.flatMap((sample) => segmenter.push([sample])), ...segmenter.flush(end)];
  return { samples, groups, end };
}

function header(): Buffer {
  return Buffer.concat([
    makeBox('ftyp', Buffer.from('iso5')),
    makeBox(
      'moov',
      makeBox('mvhd', Buffer.alloc(100)),
      makeBox(
        'trak',
        makeFullBox('tkhd', 0, 3, words(0, 0, 1, 0, 0, 0, 0, 0, 0), words(0, 1, 2, 3, 4, 5, 6, 7, 8), words(1, 1)),
        makeBox('mdia', makeFullBox('mdhd', 0, 0, words(0, 0, 90_000, 0, 0))),
      ),
      makeBox('udta', Buffer.from('Lavf')),
    ),
  ]);
}

describe('createSegmenter and writeSegment', () => {
  it('segments hold every sample once, in order, each beginning with a key picture of a later cell', () => {
    fc.assert(
      fc.property(videos, (video) => {
        const { samples, groups } = segmentsOf(video);
        expect(groups.flatMap((group) => group.samples)).to.deep.equal(samples);
        groups.forEach((group, index) => {
          expect(group.samples[0]?.key).to.equal(true);
          const before = groups[index - 1];
          if (!before) return;
          expect(group.start).to.equal(before.end);
          expect(cellOf(group.start, grid)).to.be.greaterThan(cellOf(before.start, grid));
        });
      }),
    );
  });

  it('segments read back as the same pictures at the same times, whatever the chunk size', () => {
    fc.assert(
      fc.property(videos, fc.integer({ min: 1, max: 997 }), (video, chunk) => {
        const { samples, groups } = segmentsOf(video);
        const bytes = Buffer.concat(groups.map((group) => writeSegment(group, 1, SHIFT).bytes));
        const reader = createFragmentReader();
        const read: Sample[] = [];
        for (let at = 0; at < bytes.length; at += chunk) read.push(...reader.push(bytes.subarray(at, at + chunk)));
        reader.end();
        expect(read.map(({ pts, key }) => [pts - SHIFT, key])).to.deep.equal(samples.map(({ pts, key }) => [pts, key]));
        expect(Buffer.concat(read.map(({ data }) => data))).to.deep.equal(
          Buffer.concat(samples.map(({ data }) => data)),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('decode times of segments rise without a gap from the first picture to the end', () => {
    fc.assert(
      fc.property(videos, (video) => {
        const { groups, end } = segmentsOf(video);
        let due = video.start;
        for (const group of groups) {
          const { bytes, start, duration, times } = writeSegment(group, 1, 0);
          const reader = createFragmentReader();
          const read = reader.push(bytes);
          expect(start).to.equal(due);
          expect([...times]).to.deep.equal(group.samples.map(({ pts }) => pts).sort((a, b) => a - b));
          due += read.reduce((sum, sample) => sum + sample.duration, 0);
          expect(due).to.equal(start + duration);
        }
        expect(due).to.equal(end);
      }),
      { numRuns: 60 },
    );
  });

  it('fragment numbers continue from one segment to the next', () => {
    const { groups } = segmentsOf({
      rows: Array.from({ length: 30 }, () => ({ gap: 90_000, swap: false, size: 4 })),
      groupLength: 2,
      start: 0,
    });
    let next = 7;
    for (const group of groups) {
      const { bytes, fragments } = writeSegment(group, next, 0);
      const numbers = childBoxes(bytes, 0, bytes.length)
        .filter(({ type }) => type === 'moof')
        .map((moof) => bytes.readUInt32BE((findBox(bytes, 'mfhd', moof.body, moof.end)?.body ?? 0) + 4));
      expect(numbers).to.deep.equal(Array.from({ length: fragments }, (_fragment, index) => next + index));
      next += fragments;
    }
  });

  it('a fragmented mp4 that ends inside a box is rejected', () => {
    const { groups } = segmentsOf({ rows: [{ gap: 1, swap: false, size: 9 }], groupLength: 1, start: 0 });
    const { bytes } = writeSegment(groups[0] ?? { samples: [], start: 0, end: 0 }, 1, 0);
    const reader = createFragmentReader();
    reader.push(bytes.subarray(0, -1));
    expect(reader.end).to.throw('inside a box');
  });
});

describe('makeInitSegment', () => {
  const edits = (init: Buffer): unknown => {
    const box = findBox(init, 'moov/trak/edts/elst');
    return box && init.readInt32BE(box.body + 12);
  };
  it('an init segment subtracts the shift with an edit list, and has none where the shift is zero', () => {
    expect(edits(makeInitSegment(header(), 6_003))).to.equal(6_003);
    expect(edits(makeInitSegment(header(), 0))).to.equal(undefined);
  });
  it('an init segment has an identity matrix and does not name the encoder', () => {
    const init = makeInitSegment(header(), 0);
    const { body = 0 } = findBox(init, 'moov/trak/tkhd') ?? {};
    expect(init.subarray(body + 40, body + 76)).to.deep.equal(words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000));
    expect(init.includes('Lavf')).to.equal(false);
    expect(timescaleOf(init)).to.equal(90_000);
  });
});
