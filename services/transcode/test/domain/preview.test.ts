/** What can be played of a video whose pieces are not all there. */
import { expect } from 'chai';
import fc from 'fast-check';
import { previewOf } from '../../src/domain/hls/preview.ts';
import type { EncodedPiece, EncodedSound, JobResults } from '../../src/domain/plan/job-results.ts';
import { planEncode } from '../../src/domain/plan/encode-plan.ts';
import { probeOf, scanOf, sound } from './probe-of.ts';

const PIECES = 5;
/** So short that all pieces are of one length. */
const PIECE_SECONDS = 6;
const RATE = 25;
const times = Float64Array.from({ length: PIECES * PIECE_SECONDS * RATE }, (_empty, index) => index / RATE);
const scan = scanOf({
  times,
  keys: times.filter((_time, index) => index % 50 === 0),
  end: PIECES * PIECE_SECONDS,
  audio: { start: 0, end: PIECES * PIECE_SECONDS },
});
const rules = { wholeBelowSeconds: PIECE_SECONDS, pieceSeconds: PIECE_SECONDS, copyTop: false };
const plan = planEncode(probeOf({}, { audio: sound, audioStreams: 1 }), scan, { bytes: 1_000, trailing: false }, rules);

function renditionOf(name: string, from: number, count: number, timescale: number) {
  const segments = Array.from({ length: count }, () => ({ duration: 6 * timescale, bytes: 100_000 }));
  const facts = { init: '', codecs: 'avc1.64001f', colours: null, timescale, samples: count };
  const [start, end] = [from * timescale, (from + count * 6) * timescale];
  return { name, ...facts, start, last: end, end, segments };
}
function piece(index: number): EncodedPiece {
  const rungs = plan.rungs.map(({ name }) => renditionOf(name, index * PIECE_SECONDS, 1, 90_000));
  const stills = { tiles: [], sheets: 0, widestGap: { at: 0, length: 0 }, thumbnail: null };
  return { kind: 'piece', index, folder: `piece-${index}.1-a`, rungs, ...stills };
}
const heard: EncodedSound = {
  ...{ kind: 'sound', index: 0, folder: 'sound.1-a', missing: 0 },
  ...renditionOf('a', 0, PIECES, 48_000),
};

function resultsOf(indexes: readonly number[], more: Partial<JobResults> = {}): JobResults {
  return {
    audio: null,
    sound: [heard],
    alternates: [],
    original: null,
    texts: null,
    cut: null,
    pieces: indexes.toSorted((one, other) => one - other).map(piece),
    ...more,
  };
}
function segmentsOf(text = ''): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
const subsets = fc.subarray([0, 1, 2, 3, 4]);

describe('previewOf', () => {
  it('the pieces that follow each other from the beginning can be played, and no other one', () => {
    fc.assert(
      fc.property(subsets, (indexes) => {
        const missing = [0, 1, 2, 3, 4].find((index) => !indexes.includes(index)) ?? PIECES;
        const preview = previewOf(plan, resultsOf(indexes));
        if (missing === 0) return void expect(preview).to.equal(undefined);
        expect(preview?.rungs.map(({ name }) => name)).to.deep.equal(plan.rungs.map(({ name }) => name));
        for (const { text } of preview?.playlists ?? []) {
          expect(segmentsOf(text)).to.have.lengthOf(missing);
          expect(text).to.include('#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-START:TIME-OFFSET=0\n');
          expect(text?.includes('#EXT-X-ENDLIST')).to.equal(missing === PIECES);
        }
      }),
    );
  });
  it('a playlist only grows: what it has said it goes on saying, until its end', () => {
    const texts = [1, 2, 3, 4, 5].map((count) => {
      const preview = previewOf(plan, resultsOf(Array.from({ length: count }, (_empty, index) => index)));
      return preview?.playlists.map(({ text = '' }) => text.replace('#EXT-X-ENDLIST\n', '')) ?? [];
    });
    texts
      .slice(1)
      .forEach((grown, index) =>
        grown.forEach((text, place) => expect(text.startsWith(texts[index]?.[place] ?? 'nothing')).to.equal(true)),
      );
  });
  it('nothing can be played before the sound is there, and a silent video needs none', () => {
    expect(previewOf(plan, resultsOf([0], { sound: [] }))).to.equal(undefined);
    const silent = { ...plan, probe: { ...plan.probe, audio: undefined } };
    const preview = previewOf(silent, resultsOf([0], { sound: [] }));
    expect(preview).to.not.have.property('audio');
    expect(preview?.playlists).to.have.lengthOf(plan.rungs.length);
  });
  it('the addresses in its playlists lie below the attempt, where the segments are', () => {
    const preview = previewOf(plan, resultsOf([0]));
    const [top] = preview?.rungs ?? [];
    const text = preview?.playlists.find(({ path }) => path === top?.playlistKey)?.text;
    const at = new URL(segmentsOf(text)[0] ?? '', `https://play.example/p/token/id/${top?.playlistKey}`);
    expect(at.pathname).to.equal(`/p/token/id/piece-0.1-a/v/${top?.name}/seg-00000.m4s`);
    expect(preview?.audio).to.include({ playlistKey: 'preview/a/index.m3u8', sampleRate: 48_000, channels: 2 });
  });
});
