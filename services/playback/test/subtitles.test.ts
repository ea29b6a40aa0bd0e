import type { TrackOut } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import { runs } from '@vds/testkit/counts';
import { expect } from 'chai';
import fc from 'fast-check';
import { Parser } from 'm3u8-parser';
import { masterPlaylist } from '../src/domain/master-playlist.ts';
import { readSubtitles } from '../src/domain/subtitles.ts';
import { captionTrack } from './caption-files.ts';
import { ladderOf } from './ladder-document.ts';

function read(...tracks: readonly TrackOut[]) {
  return readSubtitles(tracks, 'v1');
}
const english = captionTrack('v1', 'en');
function names(...tracks: readonly TrackOut[]): string[] {
  return read(...tracks).subtitles.map(({ name }) => name);
}

describe('the caption tracks of a video', () => {
  it('caption tracks are in catalog’s order', () => {
    const tags = ['es', 'en', 'pt-BR', 'ca-valencia', 'oc-gascon', 'frp', 'zh-Hant-TW'];
    const { subtitles, skipped } = read(...tags.map((tag) => captionTrack('v1', tag)));
    expect(subtitles.map(({ language }) => language)).to.deep.equal(tags);
    expect(skipped).to.deep.equal([]);
    expect(subtitles[1]).to.deep.equal({
      language: 'en',
      name: 'Name of en',
      spoken: true,
      folder: 'videos/v1/1/translate-en.1/',
      playlist: 'index.m3u8',
    });
  });

  it('caption tracks with a malformed tag are skipped', () => {
    for (const language of [
      '',
      'e',
      'en-',
      'en_US',
      'en-GB-US',
      'en"',
      'en\n#EXT',
      '../en',
      'en/x',
      '-',
      'x-private',
      'é',
    ])
      expect(read({ ...english, language }), language).to.deep.equal({ subtitles: [], skipped: [language] });
  });

  it('caption tracks with another video’s key are skipped', () => {
    for (const playlistKey of [
      undefined,
      '',
      'videos/v2/1/en.1/index.m3u8',
      'videos/v1/../v2/1/index.m3u8',
      'videos/v1/1/../../v2/index.m3u8',
      'videos/v1/index.m3u8',
      'videos/v1/1/en.1/track.json',
      'videos/v1/1/en.1/',
      '/videos/v1/1/en.1/index.m3u8',
      'https://evil.example/videos/v1/1/index.m3u8',
      'videos/v1/1/en 1/index.m3u8',
      'videos/v1/1/en.1/index"\n.m3u8',
    ]) {
      const { playlistKey: _own, ...bare } = english;
      expect(read({ ...bare, ...(playlistKey !== undefined && { playlistKey }) }).skipped, playlistKey).to.deep.equal([
        'en',
      ]);
    }
  });

  it('caption tracks with an invalid or duplicate name are named by their tag', () => {
    for (const name of ['', '  ', 'a"b', 'a\nb', 'a\r', 'a\u0000', 'a\u2028b', '\ud800', 'x'.repeat(101)])
      expect(names({ ...english, name }), JSON.stringify(name)).to.deep.equal(['en']);
    const spanish = { ...captionTrack('v1', 'es'), name: english.name };
    expect(names(english, spanish)).to.deep.equal(['Name of en', 'es']);
    expect(names({ ...english, name: 'Español (traducción automática) 日本 عربى' })[0]).to.include('日本');
  });

  it('only the first caption track of a language is offered', () => {
    const { subtitles, skipped } = read(english, captionTrack('v1', 'en', 2), captionTrack('v1', 'EN'));
    expect(subtitles.map(({ folder }) => folder)).to.deep.equal(['videos/v1/1/translate-en.1/']);
    expect(skipped).to.deep.equal(['en', 'EN']);
  });

  it('no caption track can break the playlist', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('en', 'es', 'a"', 'x\ny', 'pt-BR', '\u2028', ','));
    const key = fc.oneof(
      text,
      fc.constantFrom('index.m3u8', '1/a/index.m3u8', '1/b/index.m3u8').map((end) => `videos/v1/${end}`),
    );
    // The parser that judges keeps names as members of an object, where this one is none.
    const name = text.filter((one) => one !== '__proto__');
    const any = fc.record({
      language: text,
      name,
      kind: fc.constantFrom('captions', 'subtitles', 'odd'),
      playlistKey: key,
    });
    const ladder = ladderOf('v1');
    fc.assert(
      fc.property(fc.array(any, { maxLength: 6 }), (many) => {
        const { subtitles } = read(...many.map((one) => ({ ...english, ...one })));
        const master = masterPlaylist(ladder, subtitles);
        const parser = new Parser();
        parser.push(master);
        parser.end();
        const groups = (parser.manifest as { mediaGroups: { SUBTITLES: Record<string, object> } }).mediaGroups;
        expect(Object.keys(groups.SUBTITLES['subs'] ?? {})).to.have.members(subtitles.map(({ name }) => name));
        expect(master.split('\n')).to.have.length(subtitles.length + 9);
      }),
      { numRuns: runs(500) },
    );
  });
});
