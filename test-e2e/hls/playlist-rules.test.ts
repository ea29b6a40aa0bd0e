import { expect } from 'chai';
import { peakRate } from './walk.ts';
import { mediaPlaylistBreaches, readMaster } from './playlist-rules.ts';

const media = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:6
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-MAP:URI="init.mp4"
#EXTINF:6.000,
seg-0.m4s
#EXTINF:2.5,
seg-1.m4s
#EXT-X-ENDLIST
`;
const master = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Main",DEFAULT=YES,URI="a/index.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=100,AVERAGE-BANDWIDTH=90,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO="a"
v/360p/index.m3u8
`;

describe('rules for playlists', () => {
  it('the playlist rules find nothing in valid playlists', () => {
    expect(mediaPlaylistBreaches(media)).to.deep.equal([]);
    expect(readMaster(master)).to.deep.include({ breaches: [], audioUris: ['a/index.m3u8'] });
  });

  for (const [what, from, to] of [
    ['a missing header', '#EXTM3U\n', ''],
    ['a segment longer than the target', '6.000', '6.6'],
    ['a missing end', '#EXT-X-ENDLIST', ''],
    ['an absolute address', 'seg-1.m4s', 'https://example.com/seg-1.m4s'],
    ['a rooted path', 'seg-1.m4s', '/seg-1.m4s'],
    ['no init segment', '#EXT-X-MAP:URI="init.mp4"\n', ''],
    ['an old version', 'VERSION:7', 'VERSION:3'],
    ['an EXTINF without a segment', 'seg-1.m4s\n', ''],
  ] as const) {
    it(`the playlist rules find ${what}`, () =>
      expect(mediaPlaylistBreaches(media.replace(from, to))).to.have.length.greaterThan(0));
  }

  for (const [what, from, to] of [
    ['a group that is not there', 'AUDIO="a"', 'AUDIO="b"'],
    ['a missing bandwidth', 'BANDWIDTH=100,', ''],
    ['a mean above the peak', 'AVERAGE-BANDWIDTH=90', 'AVERAGE-BANDWIDTH=900'],
    ['missing codecs', 'CODECS="avc1.64001f,mp4a.40.2",', ''],
  ] as const) {
    it(`the playlist rules find ${what}`, () =>
      expect(readMaster(master.replace(from, to)).breaches).to.have.length.greaterThan(0));
  }

  it('the peak rate is measured over half to one and a half target durations', () => {
    const tail = { seconds: 0.5, bits: 5_000 };
    expect(peakRate([{ seconds: 6, bits: 6_000 }, tail], 6)).to.be.closeTo(11_000 / 6.5, 0.001);
    expect(
      peakRate(
        [
          { seconds: 6, bits: 6_000 },
          { seconds: 6, bits: 12_000 },
        ],
        6,
      ),
    ).to.equal(2_000);
  });
});
