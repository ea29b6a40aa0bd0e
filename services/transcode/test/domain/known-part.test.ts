import { expect } from 'chai';
import fc from 'fast-check';
import { keptJobs } from '../../src/domain/plan/kept-jobs.ts';
import { arrivedJobs } from '../../src/domain/plan/encode-jobs.ts';
import { planEncode, type EncodePlan } from '../../src/domain/plan/encode-plan.ts';
import { assumedSeconds, knownPictures, nextPart } from '../../src/domain/plan/known-part.ts';
import { declaredSeconds } from '../../src/domain/source/declared-duration.ts';
import { padHoles } from '../../src/domain/source/holes.ts';
import { readIndex } from '../../src/domain/source/source-index.ts';
import { collectPackets } from '../../src/domain/source/stored-packets.ts';
import type { Walk } from '../../src/domain/source/walk.ts';
import { probeOf, scanOf } from './probe-of.ts';

const PACKET = 1_000;
const GROUP = 50;
const rules = { wholeBelowSeconds: 20, pieceSeconds: 12 };

/** Pictures of 25 a second, the first of a group shown after the two that follow it, and a group in each cluster. */
function scanTo(pictures: number) {
  const packets = collectPackets();
  const shown = Array.from({ length: pictures }, (_picture, number) => {
    const place = number % GROUP;
    const time = number - place + (place === 0 ? 2 : place <= 2 ? place - 1 : place);
    packets.add({ at: number * PACKET, bytes: PACKET, hash: 0, time: time / 25, key: place === 0 });
    return time / 25;
  });
  const times = Float64Array.from(shown).sort();
  const keys = Float64Array.from(shown.filter((_time, number) => number % GROUP === 0));
  return scanOf({ times, keys, end: (times.at(-1) ?? 0) + 0.04, stored: packets.finish() });
}

function planOf(pictures: number, whole: number, assumed: number): EncodePlan | undefined {
  const entries = Array.from({ length: Math.ceil(pictures / GROUP) }, (_cluster, number) => number * GROUP * PACKET);
  const index = { headers: [{ from: 0, to: 0 }], entries };
  const file = { bytes: whole * PACKET, trailing: false, index };
  if (pictures === whole) return planEncode(probeOf(), scanTo(whole), file, rules);
  const scan = knownPictures(scanTo(pictures));
  const known = { bytes: pictures * PACKET, seconds: assumed };
  return scan && planEncode(probeOf(), scan, { ...file, known }, rules);
}

/** Names of the pieces that may be encoded before the rest is known. */
function begun(plan: EncodePlan, pictures: number): string[] {
  const stored = [{ from: 0, to: pictures * PACKET }];
  return arrivedJobs(plan, Infinity, stored).map(({ name }) => name);
}

/** The result of a walk, which takes fewer steps than the file has bytes. */
function drive<Result>(file: Buffer, walk: Walk<Result>): Result {
  let step = walk.next();
  for (let steps = 0; !step.done; steps++) {
    expect(steps).to.be.at.most(file.length);
    step = walk.next(file.subarray(step.value.at, step.value.at + step.value.length));
  }
  return step.value;
}

describe('what is planned of the beginning of a source', () => {
  const cases = fc.record({
    whole: fc.integer({ min: 65, max: 300 }).map((groups) => groups * GROUP),
    share: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
  });

  it('pieces of a beginning are those of the whole where it lasts as long as is assumed', () => {
    fc.assert(
      fc.property(cases, ({ whole, share }) => {
        const pictures = Math.floor((whole * share) / GROUP) * GROUP;
        const plan = planOf(pictures, whole, whole / 25);
        const complete = planOf(whole, whole, 0)!;
        const names = plan ? begun(plan, pictures) : [];
        // All pieces but the one in which the beginning ends.
        const ended = complete.pieces.filter(({ copyTo }) => copyTo !== undefined && copyTo < pictures / 25 - 2.1);
        expect(names.length).to.be.at.least(ended.length);
        expect(names.filter((name) => !keptJobs(plan!, complete).has(name))).to.deep.equal([]);
      }),
      { numRuns: 50 },
    );
  });

  it('a wrong assumption about the end costs no pieces but the one with the thumbnail and those near the end', () => {
    const [whole, pictures] = [25 * 590, 25 * 400];
    const plan = planOf(pictures, whole, 500)!;
    const complete = planOf(whole, whole, 0)!;
    const names = begun(plan, pictures);
    const lost = names.filter((name) => !keptJobs(plan, complete).has(name));
    expect(names).to.have.lengthOf(33);
    expect(lost).to.deep.equal([`piece-${plan.poster}`, `piece-${complete.poster}`]);
  });

  it('of a beginning, neither the sound nor the rest begins, also when all bytes have come', () => {
    const plan = { ...planOf(25 * 100, 25 * 590, 590)!, probe: probeOf({}, { audio: undefined }) };
    expect(begun(plan, 25 * 590)).not.to.include(`piece-${plan.pieces.length - 1}`);
    expect(begun(plan, 25 * 590).every((name) => name.startsWith('piece-'))).to.equal(true);
  });

  it('all looks together read no more than the source', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 2, maxLength: 200 });
    fc.assert(
      fc.property(sizes, (growing) => {
        const sourceBytes = growing.reduce((sum, bytes) => sum + bytes, 0);
        let [stored, lookedAt, read] = [0, Math.min(growing[0] ?? 0, sourceBytes / 2), growing[0] ?? 0];
        for (const bytes of growing) {
          stored += bytes;
          const part = nextPart(lookedAt, [{ from: 0, to: stored }], sourceBytes);
          if (part) [lookedAt, read] = [part.to, read + part.to];
        }
        expect(read - (growing[0] ?? 0) + Math.min(growing[0] ?? 0, sourceBytes / 2)).to.be.at.most(sourceBytes + 1);
      }),
    );
  });

  it('lies about sizes end every walk over a beginning, and padding stays inside the file', () => {
    const box = fc.record({
      type: fc.constantFrom('ftyp', 'moov', 'mvhd', 'mvex', 'mehd', 'sidx', 'moof', 'mdat', 'free'),
      lie: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -60, max: 2 ** 31 })),
      length: fc.integer({ min: 8, max: 64 }),
    });
    const element = fc.constantFrom('1a45dfa3', '18538067', '1549a966', '4489', '1f43b675', 'a3', '1c53bb6b', 'ec');
    const boxes = fc.array(box, { maxLength: 20 }).map((all) =>
      all.map(({ type, lie, length }) => {
        const bytes = Buffer.alloc(length);
        bytes.writeUInt32BE(Math.max(0, length + lie));
        bytes.write(type, 4, 'latin1');
        return bytes;
      }),
    );
    const elements = fc.array(
      fc.tuple(element, fc.uint8Array({ minLength: 1, maxLength: 24 })).map(([id, more]) => {
        return Buffer.concat([Buffer.from(id, 'hex'), more]);
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(fc.oneof(boxes, elements), fc.nat(1_200), (parts, cut) => {
        const file = Buffer.concat(parts);
        const to = Math.min(cut, file.length);
        for (const demuxer of ['mov', 'matroska'] as const) {
          for (const { at } of drive(file, padHoles(demuxer, [{ from: 0, to }], file.length)))
            expect(at).to.be.within(0, file.length);
          drive(file, readIndex(demuxer, file.length));
          expect(drive(file, declaredSeconds(demuxer, to))).to.satisfy((value: number) => value >= 0);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('a length that is not declared, or too short, follows from the bytes', () => {
    expect(assumedSeconds(600, { seconds: 60, share: 0.5 })).to.equal(600);
    expect(assumedSeconds(0, { seconds: 60, share: 0.1 })).to.be.closeTo(600, 1e-6);
    expect(assumedSeconds(59, { seconds: 60, share: 0.5 })).to.equal(120);
  });
});
