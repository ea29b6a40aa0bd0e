/** The media playlists of renditions, as captions and metadata read them. */
import { expect } from 'chai';
import fc from 'fast-check';
import { mediaPlaylist, type MediaPlaylist } from '../documents/media-playlist.ts';

const root = 'videos/abc/2/';
const key = `${root}audio.3/a/index.m3u8`;

function playlist(uris: readonly string[], init = 'init.mp4'): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-MAP:URI="${init}"`,
    ...uris.flatMap((uri) => ['#EXTINF:6.016000,', uri]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

function read(text: string, at = key): MediaPlaylist {
  return mediaPlaylist.read(Buffer.from(text), at);
}

describe('a media playlist', () => {
  it('a media playlist is read as spans of time, each with its object', () => {
    const uris = ['../../audio.3/a/seg-00000.m4s', 'seg-00001.m4s', '../../piece-1.2/v/240p/seg-00000.m4s'];
    expect(read(playlist(uris, '../../audio.3/a/init.mp4'))).to.deep.equal({
      init: `${root}audio.3/a/init.mp4`,
      segments: [
        { key: `${root}audio.3/a/seg-00000.m4s`, startMs: 0, endMs: 6_016 },
        { key: `${root}audio.3/a/seg-00001.m4s`, startMs: 6_016, endMs: 12_032 },
        { key: `${root}piece-1.2/v/240p/seg-00000.m4s`, startMs: 12_032, endMs: 18_048 },
      ],
    });
  });

  it('a media playlist is rejected where an address leads out of the attempt or to another place', () => {
    const strange = [
      '../../../1/audio.1/a/x',
      '../../../../b/2/audio.3/a/x',
      '../../../../../../../x',
      '/etc/passwd',
      'http://host/x.m4s',
      'file:///x',
      'a%2f..',
      'a?b',
      '..//seg.m4s',
      '.hidden',
    ];
    for (const uri of strange) {
      expect(() => read(playlist([uri])), uri).to.throw(`invalid media playlist: '${uri}' must `);
      expect(() => read(playlist(['a.m4s'], uri)), uri).to.throw(`invalid media playlist: '${uri}' must `);
    }
    expect(() => read(playlist(['x']), 'elsewhere/index.m3u8')).to.throw('its key must begin with videos/');
  });

  it('a media playlist is rejected without a header, an init segment or a segment', () => {
    expect(() => read('')).to.throw('the first line must be #EXTM3U');
    expect(() => read('#EXTM3U\n#EXTINF:6,\nseg.m4s\n')).to.throw('it must name one init segment');
    expect(() => read(`${playlist(['a.m4s'])}#EXT-X-MAP:URI="other.mp4"\n`)).to.throw('it must name one init segment');
    expect(() => read(playlist([]))).to.throw('it must have a segment');
  });

  it('a media playlist is rejected if a segment has no duration or one above an hour', () => {
    for (const bad of ['', '#EXTINF:x,\n', '#EXTINF:-1,\n', '#EXTINF:3601,\n', '#EXTINF:1e999,\n'])
      expect(() => read(`#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n${bad}a.m4s\n`), bad).to.throw('EXTINF of segment 0');
  });

  it('a media playlist is rejected with more segments or bytes than any rendition has', () => {
    const header = '#EXTM3U\n#EXT-X-MAP:URI="i"\n';
    expect(() => read(`${header}${'#EXTINF:1,\na\n'.repeat(50_001)}`)).to.throw('at most 50000 segments');
    expect(() => mediaPlaylist.read(Buffer.alloc(mediaPlaylist.maxBytes + 1), key)).to.throw('bytes');
  });

  it('a media playlist never leads out of its attempt, whatever its lines', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('#EXTINF:1,', 'a.m4s', '../x', '../../y', '#EXT-X-MAP:URI="i"', '/z', '#EXT-X-ENDLIST'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        let found: MediaPlaylist;
        try {
          found = read(['#EXTM3U', '#EXT-X-MAP:URI="init.mp4"', ...lines].join('\n'));
        } catch (error) {
          expect((error as Error).message).to.match(/^invalid media playlist: .* must /s);
          return;
        }
        for (const { key: led } of found.segments) expect(led.startsWith(root)).to.equal(true);
      }),
      { numRuns: 300 },
    );
  });
});
