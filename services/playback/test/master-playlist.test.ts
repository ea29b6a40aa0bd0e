import { expect } from 'chai';
import { Parser } from 'm3u8-parser';
import type { LadderAudio, LadderDocument } from '@vds/proto/documents/ladder';
import { masterPlaylist } from '../src/domain/master-playlist.ts';
import { readSubtitles, type Subtitle } from '../src/domain/subtitles.ts';
import { captionTrack } from './caption-files.ts';
import { ladderOf } from './ladder-document.ts';

function compose(change: Partial<LadderDocument> = {}, subtitles: readonly Subtitle[] = []): string {
  return masterPlaylist({ ...ladderOf('v1'), ...change }, subtitles);
}
const menu = [captionTrack('v1', 'en'), captionTrack('v1', 'es'), captionTrack('v1', 'pt-BR')];
function offered(): readonly Subtitle[] {
  return readSubtitles(menu, 'v1').subtitles;
}

describe('the master playlist', () => {
  it('the master playlist has exactly the lines of the ladder', () => {
    expect(compose().split('\n')).to.deep.equal([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio.1/a/index.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=1128000,AVERAGE-BANDWIDTH=900000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,AUDIO="audio",CLOSED-CAPTIONS=NONE',
      'assemble.1/v/720p/index.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=4128000,AVERAGE-BANDWIDTH=3100000,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=29.970,AUDIO="audio",CLOSED-CAPTIONS=NONE',
      'assemble.1/v/1080p/index.m3u8',
      '',
    ]);
  });

  it('the master playlist names the I-frame playlist of every rung that has one', () => {
    const [first, ...others] = ladderOf('v1').rungs;
    const pictures = { bandwidth: 90_000, playlist: 'assemble.1/v/1080p/pictures.m3u8' };
    const lines = compose({ rungs: first ? [{ ...first, pictures }, ...others] : [] }).split('\n');
    expect(lines.filter((line) => line.includes('I-FRAME'))).to.deep.equal([
      '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,CODECS="avc1.640028",RESOLUTION=1920x1080,URI="assemble.1/v/1080p/pictures.m3u8"',
    ]);
  });

  it('the master playlist has a subtitles group in the order of the menu, referenced by every variant', () => {
    const lines = compose({}, offered()).split('\n');
    expect(lines.filter((line) => line.includes('TYPE=SUBTITLES'))).to.deep.equal([
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="Name of en",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog",URI="c/en/index.m3u8"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="Name of es",LANGUAGE="es",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="c/es/index.m3u8"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="Name of pt-BR",LANGUAGE="pt-BR",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="c/pt-BR/index.m3u8"',
    ]);
    const variants = lines.filter((line) => line.startsWith('#EXT-X-STREAM-INF'));
    expect(variants).to.have.length(2);
    for (const line of variants) expect(line).to.include(',AUDIO="audio",SUBTITLES="subs",CLOSED-CAPTIONS=NONE');
    expect(compose({}, offered())).to.equal(compose({}, offered()));
  });

  it('every track of sound is offered: one default, no commentary chosen by itself, roles as Apple names them', () => {
    const { audio } = ladderOf('v1');
    if (!audio) expect.fail();
    const track = (index: number, more: Partial<LadderAudio>): LadderAudio => ({
      ...audio,
      playlist: `a.1/a${index}/i.m3u8`,
      ...more,
    });
    const alternates = [
      track(0, { language: 'deu', bandwidth: 200_000 }),
      track(1, { language: 'eng', role: 'commentary' }),
      track(2, { language: 'eng', role: 'description' }),
      track(3, { language: 'eng', role: 'clean', title: 'Voices first' }),
      track(4, { language: 'deu' }),
      track(5, { language: null }),
      track(6, { title: 'Voices first' }),
      track(7, { title: 'Voices first (2)' }),
    ];
    const text = compose({ alternates });
    const sounds = text.split('\n').filter((line) => line.includes('TYPE=AUDIO'));
    const read = (name: string): string[] =>
      sounds.map((line) => new RegExp(`${name}="?([^",]*)`).exec(line)?.[1] ?? '');
    expect(read('NAME')).to.deep.equal([
      'English',
      'Deutsch',
      'English (commentary)',
      'English (audio description)',
      'Voices first',
      'Deutsch (2)',
      'Audio',
      'Voices first (2)',
      'Voices first (2) (2)',
    ]);
    expect(read('LANGUAGE')).to.deep.equal(['en', 'de', 'en', 'en', 'en', 'de', '', 'en', 'en']);
    expect(read('DEFAULT')).to.deep.equal(['YES', 'NO', 'NO', 'NO', 'NO', 'NO', 'NO', 'NO', 'NO']);
    expect(read('AUTOSELECT')).to.deep.equal(['YES', 'YES', 'NO', 'YES', 'YES', 'NO', 'YES', 'NO', 'NO']);
    expect(read('CHARACTERISTICS')).to.deep.equal([
      ...['', '', '', 'public.accessibility.describes-video'],
      ...['public.accessibility.enhances-speech-intelligibility', '', '', '', ''],
    ]);
    expect(text).to.include('BANDWIDTH=4200000,');
  });

  it('the original is the last variant, with its range; then every variant has one', () => {
    const { rungs } = ladderOf('v1');
    const original = {
      ...rungs[0]!,
      name: 'original',
      codecs: 'hvc1.2.4.L153.B0',
      range: 'PQ' as const,
      independent: false,
      playlist: 'o.1/v/o.m3u8',
    };
    const variants = compose({ original })
      .split('\n')
      .filter((line) => line.startsWith('#EXT-X-STREAM-INF'));
    expect(variants.map((line) => /VIDEO-RANGE=(\w+)/.exec(line)?.[1])).to.deep.equal(['SDR', 'SDR', 'PQ']);
    expect(variants.at(-1)).to.include('CODECS="hvc1.2.4.L153.B0,mp4a.40.2"');
    expect(compose({ original })).not.to.include('SUPPLEMENTAL-CODECS');
    const layered = compose({ original: { ...original, supplementalCodecs: 'dvh1.08.06/db1p' } });
    expect(layered.match(/^.*SUPPLEMENTAL-CODECS=.*$/gm)).to.have.length(1);
    expect(layered).to.match(/CODECS="hvc1[^"]*",SUPPLEMENTAL-CODECS="dvh1\.08\.06\/db1p",.*VIDEO-RANGE=PQ/);
    expect(compose()).not.to.include('VIDEO-RANGE');
    expect(compose()).to.include('#EXT-X-INDEPENDENT-SEGMENTS');
    expect(compose({ original })).not.to.include('#EXT-X-INDEPENDENT-SEGMENTS');
  });

  it('the master playlist of a silent video has no audio group', () => {
    const text = compose({ audio: null });
    expect(text).not.to.match(/AUDIO|mp4a/);
    expect(text).to.include('BANDWIDTH=4000000,');
  });

  it('an unknown language is not in the master playlist', () => {
    for (const language of [null, 'und', 'en-GB-US', 'x"y', 'en\nx'])
      expect(compose({ audio: { ...ladderOf('v1').audio, language } })).not.to.include('LANGUAGE');
  });

  it('a parser reads the master playlist correctly', () => {
    const parser = new Parser();
    parser.push(compose({}, offered()));
    parser.end();
    const { playlists = [], mediaGroups } = parser.manifest as {
      playlists?: { uri: string; attributes: { RESOLUTION: object } }[];
      mediaGroups: { AUDIO: object; SUBTITLES: Record<string, Record<string, object>> };
    };
    expect(playlists.map(({ uri }) => uri)).to.deep.equal([
      'assemble.1/v/720p/index.m3u8',
      'assemble.1/v/1080p/index.m3u8',
    ]);
    expect(mediaGroups.AUDIO).to.have.nested.property('audio.Audio.uri', 'audio.1/a/index.m3u8');
    expect(Object.keys(mediaGroups.SUBTITLES['subs'] ?? {})).to.deep.equal([
      'Name of en',
      'Name of es',
      'Name of pt-BR',
    ]);
    expect(mediaGroups.SUBTITLES['subs']?.['Name of en']).to.deep.include({
      uri: 'c/en/index.m3u8',
      language: 'en',
      default: false,
      autoselect: true,
      forced: false,
      characteristics: 'public.accessibility.transcribes-spoken-dialog',
    });
  });
});
