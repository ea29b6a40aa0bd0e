/** The operator's own engines over HTTP: 18 languages in their own scripts, and every kind of engine failure. */
import { join } from 'node:path';
import { expect } from 'chai';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import type { Fault } from '@vds/testkit/engines/faults';
import { translateLine } from '@vds/testkit/engines/translated-lines';
import { cached, ffmpeg } from '@vds/testkit/media/render';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import { until } from '@vds/testkit/until';
import { walkTracks, type WalkedTrack, type WalkedTracks } from '../hls/tracks.ts';
import { appsOf, type Apps } from '../harness/apps-client.ts';
import { openHost, type HostTarget } from '../harness/host/host.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';

/** LibreTranslate's default list without English, the first 18 of it. */
const TARGETS = 'es pt fr de it nl pl sv tr ru uk ar hi id vi th ja ko'.split(' ');
const SENTENCES = ['The goalkeeper saves it at 3-1 in the final minute.', 'What a game this has been!'];

/** The sentences word by word, with a pause between them. */
const words = SENTENCES.flatMap((sentence, turn) =>
  sentence.split(' ').map((text, index) => {
    const start = 0.5 + turn * 5 + index * 0.35;
    return { text, start, end: start + 0.35 };
  }),
);

const SOURCES = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-f', 'lavfi', '-i', 'sine=frequency=440'];
const ENCODING = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-t', '9'];
/** 9 s that encode fast; only the engine knows the spoken words. */
function makeSmallClip(): Promise<string> {
  return cached('engines-story', 'mp4', [SOURCES, ENCODING], (path) => ffmpeg([...SOURCES, ...ENCODING, path]));
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** Columns that a line occupies: two for a wide glyph, none for combining marks. */
function columns(line: string): number {
  return [...graphemes.segment(line.replaceAll(/\p{Cf}/gu, ''))].reduce(
    (sum, { segment: glyph }) =>
      sum + (/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u.test(glyph) ? 2 : 1),
    0,
  );
}

function describeTracks({ captions = [] }: VideoRecord): string[] {
  return captions.map(({ language, status, reason }) => [language, status, reason].filter(Boolean).join(' '));
}

describe('engines behind HTTP', () => {
  let engines: Engines;
  let target: HostTarget;
  let partner: Partner;
  let apps: Apps;
  let clip: string;
  before(async function () {
    this.timeout(240_000);
    engines = await startEngines({ words });
    // Short waits; a separate stack, so that no other test uses these engines.
    const shortTimeouts = { WORK_DEPENDENCY_LIMIT: '1s', ENGINE_RETRY_DELAYS: '200ms', SURVEY_EVERY: '200ms' };
    target = await openHost({ suffix: 'engines', env: { captions: { ...engines.environment, ...shortTimeouts } } });
    partner = await target.newPartner('Engines');
    apps = appsOf(target.stack);
    clip = await makeSmallClip();
  });
  afterEach(() => engines.heal());
  after(async function () {
    this.timeout(120_000);
    await apps?.close();
    await target?.close();
    await engines?.close();
  });

  /** The record once the video is live and every track is final. */
  const publish = async (): Promise<VideoRecord> => {
    const id = await partner.submit(await target.serve(clip), { title: 'A match', language_code: 'en' });
    const live = await partner.settled(id);
    expect(live.status, JSON.stringify(live.failure)).to.equal('ready');
    return partner.tracksSettled(id);
  };
  const offered = async ({ playback }: VideoRecord): Promise<WalkedTracks> =>
    walkTracks(`${playback?.hls_url}?token=${await target.mint(playback?.playback_id ?? '')}`);
  const all = (status: string, languages: readonly string[] = TARGETS): string[] =>
    languages.map((language) => `${language} ${status}`);

  describe('engines that work', () => {
    let record: VideoRecord;
    let walked: WalkedTracks;
    before(async function () {
      this.timeout(240_000);
      record = await publish();
      walked = await offered(record);
    });
    const trackOf = (language: string): WalkedTrack =>
      walked.tracks.find((track) => track.language === language) ?? expect.fail(`no track in ${language}`);
    const linesOf = (language: string): string[] => trackOf(language).cues.flatMap(({ text }) => text.split('\n'));

    it('working engines make tracks in the spoken and all 18 default languages, and the player is offered each', () => {
      expect(describeTracks(record)).to.deep.equal(all('ready', ['en', ...TARGETS]));
      expect(walked.tracks.map(({ language }) => language)).to.have.members(['en', ...TARGETS]);
      expect(walked.breaches).to.deep.equal([]);
      for (const { name } of walked.tracks.slice(1)) expect(name).to.match(/\(.+\)$/);
    });

    it('cues have at most two lines of 42 columns in every script, and lose no text', () => {
      for (const { language, cues } of walked.tracks)
        for (const { text } of cues) {
          expect(text.split('\n').length, text).to.be.at.most(2);
          for (const line of text.split('\n')) expect(columns(line), `${language}: ${line}`).to.be.within(1, 42);
        }
      for (const language of ['ar', 'hi', 'th', 'ja', 'ko', 'pl']) {
        const bare = (text: string): string => text.replaceAll(/[\s\p{Cf}]/gu, '');
        const seen = bare(linesOf(language).join(''));
        for (const sentence of SENTENCES) expect(seen, language).to.include(bare(translateLine(sentence, language)));
      }
    });

    it('every line of an Arabic cue starts from the right, and a score keeps its order', () => {
      for (const line of linesOf('ar')) expect(line).to.match(/^[\u200f\p{Script=Arabic}]/u);
      expect(linesOf('ar').join(' ')).to.include('\u20663-1\u2069');
      for (const language of ['en', 'es', 'ja']) expect(linesOf(language).join('')).to.not.match(/[\u200e-\u206f]/);
    });

    it('Japanese cues have no space between words, and no line that starts with a full stop', () => {
      const wide = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u.source;
      for (const line of linesOf('ja')) {
        expect(line).to.not.match(new RegExp(`${wide}\\s+${wide}`, 'u'));
        expect(line).to.not.match(/^[。、！」]/);
      }
    });
  });

  it('tracks fail with engine_error while the engines are down, and one retry completes them afterwards', async function () {
    this.timeout(300_000);
    await engines.close();
    const publishWithoutEngines = async () => {
      try {
        return await publish();
      } finally {
        await engines.reopen();
      }
    };
    const before = await publishWithoutEngines();
    expect(describeTracks(before)).to.deep.equal(all('failed engine_error', ['en', ...TARGETS]));
    expect((await offered(before)).tracks).to.deep.equal([]);
    expect(await apps.finds('goalkeeper', before.id)).to.equal(false);

    const output: string[] = [];
    const io = {
      environment: {},
      out: (text: string) => output.push(text),
      err: (text: string) => output.push(text),
    };
    const audit = ['--actor', 'ann', '--reason', 'the engines are back'];
    const operatorEnv = ['--env', join(target.stack.dir, 'vdsctl.env')];
    expect(await vdsctl(['captions', 'rerun', before.id, ...audit, ...operatorEnv], io), output.join('\n')).to.equal(0);
    const whole = async (): Promise<boolean> =>
      describeTracks(await partner.get(before.id)).every((track) => track.endsWith(' ready'));
    await until(whole, { capMs: 120_000, everyMs: 250, what: 'the tracks in the record' });
    const isOffered = async (): Promise<boolean> => (await offered(before)).tracks.length === 19;
    await until(isOffered, { capMs: 60_000, everyMs: 250, what: 'the tracks in the master' });
    await until(() => apps.finds('goalkeeper', before.id), { capMs: 60_000, what: 'the spoken word in search' });
  });

  it('an engine that fails in one language fails only the track of that language', async function () {
    this.timeout(240_000);
    engines.trouble({ endpoint: 'translation', fault: { kind: 'status', status: 500 }, language: 'fr' });
    const record = await publish();
    expect(describeTracks(record)).to.have.members([
      'fr failed engine_error',
      ...all(
        'ready',
        ['en', ...TARGETS].filter((language) => language !== 'fr'),
      ),
    ]);
    expect((await offered(record)).tracks.map(({ language }) => language))
      .to.have.length(18)
      .and.not.include('fr');
  });

  const wrong: Readonly<Record<string, Fault>> = {
    nonsense: { kind: 'instead', answer: { text: 'x', words: 'many', translatedText: { es: 'x' } } },
    'without an end': { kind: 'huge', bytes: 60_000_000 },
  };
  for (const [what, fault] of Object.entries(wrong))
    it(`an engine that answers ${what} fails the tracks, and the video is live`, async function () {
      this.timeout(300_000);
      engines.trouble({ endpoint: 'translation', fault });
      expect(describeTracks(await publish())).to.deep.equal(['en ready', ...all('failed engine_error')]);
      engines.trouble({ endpoint: 'speech', fault });
      expect(describeTracks(await publish())).to.deep.equal(all('failed engine_error', ['en', ...TARGETS]));
    });
});
