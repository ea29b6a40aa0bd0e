/** What players read of a video, and the checks that it must pass before. */
import { join, normalize } from 'node:path/posix';
import { expect } from 'chai';
import fc from 'fast-check';
import { Parser } from 'm3u8-parser';
import { ladderDocument } from '@vds/proto/documents/ladder';
import { mediaPlaylist as playlistReader } from '@vds/proto/documents/media-playlist';
import type { EncodedRendition } from '../../src/domain/cmaf/rendition.ts';
import { unjoinable, verifyFrames, verifyOutput, verifySound } from '../../src/domain/hls/verify-output.ts';
import type { EncodedPiece, EncodedSound } from '../../src/domain/plan/job-results.ts';
import { outputPaths, buildLadder } from '../../src/domain/hls/ladder-document.ts';
import { bandwidthOf, mediaPlaylist, type PlaylistSegment } from '../../src/domain/hls/media-playlist.ts';
import { relativeUri } from '../../src/domain/object-keys.ts';
import { storyboardTrack } from '../../src/domain/hls/storyboard-track.ts';
import { tileTimes } from '../../src/domain/plan/stills.ts';
import { planEncode, type EncodePlan } from '../../src/domain/plan/encode-plan.ts';
import { firstJobs, allJobs, pieceJobs } from '../../src/domain/plan/encode-jobs.ts';
import { probeOf, scanOf, sound } from './probe-of.ts';

const segmentLists = fc.array(
  fc.record({ seconds: fc.double({ min: 0.01, max: 12, noNaN: true }), bytes: fc.integer({ min: 1, max: 10 ** 7 }) }),
  { minLength: 1, maxLength: 40 },
);
function named(list: readonly { seconds: number; bytes: number }[]): PlaylistSegment[] {
  return list.map((segment, index) => ({ ...segment, uri: `seg-${index}.m4s` }));
}

describe('mediaPlaylist and bandwidthOf', () => {
  it('a media playlist names every segment with its duration, none longer than the target duration', () => {
    fc.assert(
      fc.property(segmentLists, (list) => {
        const parser = new Parser();
        parser.push(mediaPlaylist('init.mp4', named(list)));
        parser.end();
        const { segments, targetDuration, endList } = parser.manifest as unknown as {
          segments: { uri: string; duration: number }[];
          targetDuration: number;
          endList: boolean;
        };
        expect(endList).to.equal(true);
        expect(segments.map(({ uri }) => uri)).to.deep.equal(named(list).map(({ uri }) => uri));
        segments.forEach(({ duration }, index) => {
          expect(duration).to.be.closeTo(list[index]?.seconds ?? 0, 1e-6);
          expect(Math.round(duration)).to.be.at.most(targetDuration);
        });
      }),
    );
  });

  it('a media playlist can be read by the services that decode renditions', () => {
    fc.assert(
      fc.property(segmentLists, (list) => {
        const text = mediaPlaylist('../../../piece-0.1/v/240p/init.mp4', named(list));
        const folder = 'videos/v/1/assemble.1/v/240p';
        const { init, segments } = playlistReader.read(Buffer.from(text), `${folder}/index.m3u8`);
        expect(init).to.equal('videos/v/1/piece-0.1/v/240p/init.mp4');
        expect(segments.map(({ key }) => key)).to.deep.equal(named(list).map(({ uri }) => `${folder}/${uri}`));
        segments.forEach(({ startMs, endMs }, index) =>
          expect(endMs - startMs).to.be.closeTo((list[index]?.seconds ?? 0) * 1_000, 1e-2),
        );
      }),
    );
  });

  it('the peak bandwidth of a playlist lies between its average and its worst segment', () => {
    fc.assert(
      fc.property(segmentLists, (list) => {
        const { peak, average } = bandwidthOf(named(list));
        const rates = list.map(({ seconds, bytes }) => (bytes * 8) / seconds);
        expect(peak).to.be.at.least(average);
        expect(average).to.be.at.least(Math.min(...rates));
        expect(peak).to.be.at.most(Math.max(...rates) + 1);
      }),
    );
  });
});

describe('relativeUri', () => {
  it('a relative address leads from the playlist that contains it to the named file', () => {
    const paths = fc
      .array(fc.stringMatching(/^[a-z0-9-]{1,8}$/), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(paths, paths, (from, path) => {
        expect(normalize(join(from, '..', relativeUri(from, path)))).to.equal(path);
      }),
    );
  });
});

const times = Float64Array.from({ length: 250 }, (_time, index) => index / 25);
const plan: EncodePlan = planEncode(
  probeOf({}, { audio: sound, audioStreams: 1 }),
  scanOf({ times, keys: times.filter((_time, index) => index % 50 === 0), end: 10, audio: { start: 0, end: 10 } }),
  { bytes: 1_000, trailing: false },
  { wholeBelowSeconds: 5, pieceSeconds: 4 },
);

function rendition(name: string, start: number, frames: number, init = 'same'): EncodedRendition {
  return {
    name,
    init,
    codecs: 'avc1.64001f',
    colours: { fullRange: false, primaries: 1, transfer: 1, matrix: 1 },
    timescale: 90_000,
    samples: frames,
    start,
    last: start + (frames - 1) * 3_600,
    end: start + frames * 3_600,
    segments: [{ duration: frames * 3_600, bytes: 100_000 }],
  };
}

function pieceOf(index: number, start: number, frames: number, init?: string): EncodedPiece {
  return {
    kind: 'piece',
    index,
    folder: `piece-${index}.1`,
    rungs: plan.rungs.map(({ name }) => rendition(name, start, frames, init)),
    tiles: [start],
    sheets: 1,
    widestGap: { at: 0, length: 3_600 },
    thumbnail: index === 0 ? { width: 1_280, height: 720 } : null,
  };
}
const good = [pieceOf(0, 0, 100), pieceOf(1, 360_000, 150)];
const spoken: EncodedSound = {
  ...rendition('a', 0, 250),
  ...{ kind: 'sound', index: 0, folder: 'sound.2', codecs: 'mp4a.40.2', missing: 0 },
};
const joined = { kind: 'audio', folder: 'audio.2' } as const;
const results = {
  pieces: good,
  audio: joined,
  sound: [spoken],
  alternates: [],
  original: null,
  texts: null,
  cut: null,
};
const steady = { shortest: 1_024, longest: 1_024 };

/** So many AAC frames at 48 kHz. */
function heard(samples: number): EncodedSound {
  const segments = [{ duration: samples * 1_024, bytes: 100_000 }];
  return {
    ...spoken,
    timescale: 48_000,
    samples,
    start: 0,
    last: (samples - 1) * 1_024,
    end: samples * 1_024,
    segments,
  };
}

function reasonOf(pieces: readonly EncodedPiece[]): unknown {
  try {
    return verifyOutput(plan, { pieces, sound: [] });
  } catch (error) {
    return (error as { reason?: string }).reason ?? (error as Error).message;
  }
}

describe('the output of an encode', () => {
  it('an encode is planned in jobs, the first of which depend on no other', () => {
    expect(plan.pieces.map(({ frames }) => frames)).to.deep.equal([100, 150]);
    expect(firstJobs(plan).map(({ name }) => name)).to.deep.equal(['sound', 'cut']);
    expect(allJobs(plan).map(({ name }) => name)).to.deep.equal(['sound', 'audio', 'cut', 'piece-0', 'piece-1']);
    expect(pieceJobs(plan).reduce((sum, { weight }) => sum + weight, 0)).to.be.closeTo(10, 0.1);
  });

  it('an output with every picture passes verification', () => expect(reasonOf(good)).to.equal(undefined));
  it('an output with a missing piece does not pass verification', () =>
    expect(reasonOf(good.slice(0, 1))).to.include('1 of 2 pieces'));
  it('pieces with a surplus picture cannot be joined', () =>
    expect(reasonOf([pieceOf(0, 0, 101), pieceOf(1, 360_000, 150)])).to.equal(unjoinable));
  it('pieces with pictures missing at a seam cannot be joined, however few are missing', () => {
    expect(reasonOf([pieceOf(0, 0, 99), pieceOf(1, 360_000, 150)])).to.equal(unjoinable);
    expect(reasonOf([pieceOf(0, 0, 100), pieceOf(1, 363_600, 149)])).to.equal(unjoinable);
  });
  it('a piece with many pictures missing inside means source_corrupt', () => {
    const worn = pieceOf(0, 0, 100);
    const rungs = worn.rungs.map((rung) => ({ ...rung, samples: 90 }));
    expect(reasonOf([{ ...worn, rungs }, pieceOf(1, 360_000, 150)])).to.equal('source_corrupt');
  });
  it('pieces with different init segments cannot be joined', () =>
    expect(reasonOf([pieceOf(0, 0, 100), pieceOf(1, 360_000, 150, 'other')])).to.equal(unjoinable));
  it('an output with a rung of other colours than BT.709 does not pass verification', () => {
    const [first = pieceOf(0, 0, 100), second = first] = good;
    for (const wrong of [{ fullRange: true }, { primaries: 2 }, { transfer: 16 }, { matrix: 6 }]) {
      const rungs = second.rungs.map((rung, place) =>
        place === 1 ? { ...rung, colours: { fullRange: false, primaries: 1, transfer: 1, matrix: 1, ...wrong } } : rung,
      );
      expect(reasonOf([first, { ...second, rungs }])).to.match(/piece 1 has colours/);
    }
  });
  it('a source_corrupt failure names the second at which pictures are missing', () => {
    const worn = pieceOf(1, 360_000, 150);
    const rungs = worn.rungs.map((rung) => ({ ...rung, samples: 120 }));
    const pieces = [pieceOf(0, 0, 100), { ...worn, rungs, widestGap: { at: 540_000, length: 108_000 } }];
    expect(() => verifyOutput(plan, { pieces, sound: [] }))
      .to.throw()
      .with.property('details')
      .that.deep.equals({ stream: 'video', at_seconds: '6.00', expected_frames: '150', found_frames: '120' });
  });
  it('renditions that do not end together do not pass verification', () => {
    const verify = (samples: number): void => verifyOutput(plan, { pieces: good, sound: [heard(samples)] });
    for (const enough of [468, 469]) expect(() => verify(enough)).not.to.throw();
    for (const other of [200, 466, 472]) expect(() => verify(other)).to.throw('the renditions last 10, 10, 10, 10, ');
    const [first = pieceOf(0, 0, 100), second = first] = good;
    const segments = [{ duration: 149 * 3_600, bytes: 100_000 }];
    const rungs = second.rungs.map((rung, place) => (place === 1 ? { ...rung, segments } : rung));
    expect(reasonOf([first, { ...second, rungs }])).to.equal(unjoinable);
  });
  it('an audio rendition of frames one after the other passes verification', () =>
    expect(() => verifyFrames(heard(469), steady)).not.to.throw());
  it('sound of which a part cannot be decoded means source_corrupt, with what was expected and found', () => {
    const long = { ...plan, timeline: { ...plan.timeline, soundLength: 60 } };
    for (const missing of [0, 2.1]) expect(() => verifySound(long, [{ ...spoken, missing }])).not.to.throw();
    expect(() => verifySound(long, [{ ...spoken, missing: 10 }]))
      .to.throw()
      .with.property('details')
      .that.deep.equals({ stream: 'audio', expected_seconds: '60.00', found_seconds: '50.00' });
  });
  it('chunks of sound that leave a gap, or differ in their init segments, cannot be joined', () => {
    const cut = [0, 240_640].map((from, index) => ({ index, from, until: from + 240_640 }));
    const [first, second] = cut.map(({ from, index }) => ({ ...heard(235), index, start: from, end: from + 240_640 }));
    const verify = (...chunks: EncodedSound[]) => verifySound({ ...plan, sound: cut }, chunks);
    expect(() => verify(first!, second!)).not.to.throw();
    for (const wrong of [
      [first!],
      [second!, first!],
      [first!, { ...second!, init: 'other' }],
      [{ ...first!, end: 9 }, second!],
    ])
      expect(() => verify(...wrong))
        .to.throw()
        .with.property('reason', unjoinable);
  });
  it('frames of sound that overlap, are apart, or do not add up to the playlist are a fault of the encoder', () => {
    const faults = [
      [heard(469), { shortest: 1, longest: 1_024 }],
      [heard(469), { shortest: 1_024, longest: 2_049 }],
      [{ ...heard(469), samples: 938 }, steady],
      [{ ...heard(469), samples: 460 }, steady],
    ] as const;
    for (const [made, steps] of faults)
      expect(() => verifyFrames(made, steps))
        .to.throw('frames of sound')
        .with.property('reason', 'transcode_failed');
  });

  it('playlists and ladder name exactly the stored objects', () => {
    const { document, files } = buildLadder({ videoId: 'v', attempt: 1, plan }, 'assemble.3', results);
    const stored = new Set([...outputPaths(results), ...files.map(({ path }) => path)]);
    const expectStored = (path: string): void => void expect(stored.has(path), path).to.equal(true);
    for (const { path, body } of files.filter((file) => file.path.endsWith('.m3u8')))
      for (const uri of [...body.matchAll(/^[^#\n].*$|URI="([^"]*)"/gm)].map((match) => match[1] ?? match[0]))
        expectStored(normalize(join(path, '..', uri)));
    for (const { playlist } of document.rungs) expectStored(playlist);
    expectStored(document.audio?.playlist ?? '');
    expectStored(document.thumbnail.path);
    expectStored(document.storyboard.track);
    expect(document).to.include({ frames: 250, durationMs: 10_000 });
    expect(document.rungs.map(({ name }) => name)).to.deep.equal(['720p', '480p', '360p', '240p']);
  });

  it('the ladder document can be read back by its readers', () => {
    const { document } = buildLadder({ videoId: 'v', attempt: 1, plan }, 'assemble.3', results);
    expect(ladderDocument.read(Buffer.from(ladderDocument.write(document)))).to.deep.equal(document);
  });

  it('the ladder has no language where the container holds no valid language tag', () => {
    const languages = ['eng', 'x"y', 'en\n#EXT', 'x'.repeat(100), undefined].map((language) => {
      const spoken = { ...plan, probe: { ...plan.probe, audio: { ...sound, language } } };
      return buildLadder({ videoId: 'v', attempt: 1, plan: spoken }, 'assemble.3', results).document.audio?.language;
    });
    expect(languages).to.deep.equal(['eng', null, null, null, null]);
  });

  it('the ladder has a frame rate above zero for a picture that lasts an hour', () => {
    const slow = { ...plan, peakRate: 1 / 3_600 };
    const hour = pieceOf(0, 0, 1);
    const rungs = hour.rungs.map((rung) => ({ ...rung, end: 90_000 * 3_600 }));
    const { document } = buildLadder({ videoId: 'v', attempt: 1, plan: slow }, 'assemble.3', {
      ...results,
      pieces: [{ ...hour, rungs }],
    });
    expect(document.rungs[0]?.frameRate).to.equal(0.001);
  });
});

describe('the storyboard', () => {
  const board = { interval: 2, width: 160, height: 90, columns: 2, rows: 2 };
  it('the storyboard takes the first picture of every interval', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 90_000 * 60 }), { maxLength: 200 }), (ticks) => {
        const shown = ticks.sort((a, b) => a - b);
        const cells = tileTimes(shown, 2).map((time) => Math.floor((time / 90_000 + 0.001) / 2));
        expect(cells).to.deep.equal([...new Set(shown.map((time) => Math.floor((time / 90_000 + 0.001) / 2)))]);
      }),
    );
  });
  it('the storyboard track maps every time to a tile on a sheet', () => {
    const track = storyboardTrack(
      board,
      [
        { times: [0, 2, 4, 6, 8], sheets: ['a.jpg', 'b.jpg'] },
        { times: [10], sheets: ['c.jpg'] },
      ],
      3_725.5,
    );
    expect(track).to.match(/^WEBVTT\n\n00:00:00.000 --> 00:00:02.000\na.jpg#xywh=0,0,160,90\n/);
    expect(track).to.include('00:00:06.000 --> 00:00:08.000\na.jpg#xywh=160,90,160,90\n');
    expect(track).to.include('00:00:08.000 --> 00:00:10.000\nb.jpg#xywh=0,0,160,90\n');
    expect(track).to.match(/00:00:10.000 --> 01:02:05.500\nc.jpg#xywh=0,0,160,90\n$/);
  });
});
