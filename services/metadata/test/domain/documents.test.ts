/** What others wrote, read with care: ladders, playlists, transcripts. */
import { expect } from 'chai';
import fc from 'fast-check';
import { AppError } from '@vds/chassis/errors';
import { runs } from '@vds/testkit/counts';
import { readingRung, readLadder, smallestRung } from '../../src/domain/ladder.ts';
import { readPlaylist, segmentsWithin } from '../../src/domain/playlist.ts';
import { readTranscript } from '../../src/domain/transcript.ts';

const root = 'videos/abc/1/';
const playlistAt = `${root}assemble.1/v/240p/index.m3u8`;
function write(map: string, ...segments: string[]): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-MAP:URI="${map}"`,
    ...segments.flatMap((uri) => ['#EXTINF:6.000000,', uri]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

function rung(height: number) {
  return {
    width: 2 * Math.round((height * 8) / 9),
    height,
    playlist: `assemble.1/v/${height}p/index.m3u8`,
  };
}
function ladder(...heights: number[]) {
  return { version: 1, duration_ms: 60_000, rungs: heights.map(rung), audio: null };
}

describe('what others wrote', () => {
  it('is read as a ladder, with the rungs that are looked at and read from', () => {
    const read = readLadder(ladder(1080, 720, 480, 360, 240));
    expect([smallestRung(read).height, readingRung(read).height]).to.deep.equal([240, 720]);
    expect(readingRung(readLadder(ladder(360, 240))).height).to.equal(360);
    expect(read.sound).to.equal(undefined);
  });

  it('is read as a playlist, whose addresses stay inside the attempt', () => {
    const { map, segments } = readPlaylist(
      write(
        '../../../piece-0.1/v/240p/init.mp4',
        '../../../piece-0.1/v/240p/seg-00000.m4s',
        '../../../piece-1.2/v/240p/seg-00000.m4s',
      ),
      playlistAt,
      root,
    );
    expect(map).to.equal(`${root}piece-0.1/v/240p/init.mp4`);
    expect(segments.map(({ key, startMs }) => [key, startMs])).to.deep.equal([
      [`${root}piece-0.1/v/240p/seg-00000.m4s`, 0],
      [`${root}piece-1.2/v/240p/seg-00000.m4s`, 6_000],
    ]);
    expect(segmentsWithin({ map, segments }, 6_000, 7_000)).to.have.length(1);
    expect(segmentsWithin({ map, segments }, 5_000, 7_000)).to.have.length(2);
  });

  it('is refused where an address leads out of the attempt or to another place', () => {
    const bad = [
      '../../../../2/seg.m4s',
      '/etc/passwd',
      'http://example.com/x.m4s',
      '..//seg.m4s',
      'a?b',
      '../../../../../../../x',
      'file:///x',
    ];
    for (const uri of bad) expect(() => readPlaylist(write('init.mp4', uri), playlistAt, root), uri).to.throw(AppError);
    expect(() => readPlaylist(write('../../../../../x.mp4', 'a.m4s'), playlistAt, root)).to.throw(AppError);
    expect(() => readPlaylist('#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n', playlistAt, root)).to.throw(AppError);
  });

  it('is refused with a named field, whatever it is instead', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const read of [readLadder, readTranscript]) {
          try {
            read(value);
          } catch (error) {
            expect(error).to.be.instanceOf(AppError);
            expect((error as AppError).message).to.match(/\.json: \w+ is not as it should be/);
          }
        }
      }),
      { numRuns: runs(200) },
    );
    expect(() => readLadder({ ...ladder(240), rungs: [{ ...rung(240), playlist: '../../x' }] })).to.throw('playlist');
    expect(() => readLadder({ ...ladder(240), duration_ms: -1 })).to.throw('duration_ms');
  });

  it('is read as a transcript without anything that a database refuses', () => {
    const sentence = { start_ms: 10.4, end_ms: 20, text: 'a\u0000b\ud800' };
    const { sentences } = readTranscript({ version: 1, language: 'pt-BR', sentences: [sentence] });
    expect(sentences).to.deep.equal([{ startMs: 10, endMs: 20, text: 'a b\ufffd' }]);
    expect(() => readTranscript({ version: 1, language: 'en', sentences: [{ ...sentence, end_ms: 1 }] })).to.throw(
      'end_ms',
    );
  });
});
