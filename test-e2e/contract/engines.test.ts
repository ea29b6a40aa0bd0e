/**
 * The operator's own engines over HTTP: 18 languages in their own scripts, every kind of engine failure, and servers that
 * are not made for tests.
 */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import type { Fault } from '@vds/testkit/engines/faults';
import {
  SPEECH_MODEL,
  startSpeechServer,
  startTranslationServer,
  type RealServer,
} from '@vds/testkit/engines/real-servers';
import { translateLine } from '@vds/testkit/engines/translated-lines';
import { cached, ffmpeg } from '@vds/testkit/media/render';
import { speak } from '@vds/testkit/media/speak';
import { libretranslatePython } from '@vds/testkit/programs/libretranslate';
import { readServers } from '@vds/testkit/servers/servers-file';
import { skipBecause } from '@vds/testkit/skip';
import { walkTracks, type WalkedTrack, type WalkedTracks } from '../hls/tracks.ts';
import { appsOf, type Apps } from '../harness/apps-client.ts';
import { openHost, type HostTarget } from '../harness/host/host.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';

/** LibreTranslate's default list without English, the first 18 of it. */
const TARGETS = 'es pt fr de it ar hi ja ko zh ru tr id nl pl vi th uk'.split(' ');
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
    const shortTimeouts = { TIME_SCALE: 'dependencyLimit=1s,retryDelays=200ms,surveyEvery=200ms' };
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

describe('engines behind HTTP that are not made for tests', () => {
  const KEYS = { speech: 'sk-speech', translation: '1f0c4f1e-translation' };
  const SPOKEN = 'The striker scores the winning goal and the crowd goes wild.';
  let speech: RealServer;
  let translation: RealServer;
  let sound: string;
  before(async function () {
    this.timeout(240_000);
    const { speechPython, speechModel } = readServers();
    if (!speechPython || !speechModel) return skipBecause(this, 'faster-whisper or its model is not installed');
    const python = (await libretranslatePython()) ?? skipBecause(this, 'PyPI cannot provide LibreTranslate');
    speech = await startSpeechServer({ python: speechPython, model: speechModel, key: KEYS.speech });
    const args = ['--char-limit', '5000', '--batch-limit', '50'];
    translation = await startTranslationServer({
      ...{ python, languages: ['en', ...TARGETS, 'sv'], key: KEYS.translation },
      args,
    });
    sound = (await speak('en', SPOKEN)) ?? expect.fail('flite speaks English');
  });
  after(async () => {
    await speech?.close();
    await translation?.close();
  });

  it('Whisper and LibreTranslate, with keys, make 19 tracks of a spoken video', async function () {
    this.timeout(300_000);
    const env = {
      ...{ SPEECH_ENGINE: 'openai', SPEECH_URL: `${speech.url}/v1`, SPEECH_MODEL, SPEECH_KEY: KEYS.speech },
      ...{ TRANSLATION_ENGINE: 'libretranslate', TRANSLATION_URL: translation.url, TRANSLATION_KEY: KEYS.translation },
    };
    const input = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-i', sound];
    const encoding = [...ENCODING.slice(0, -2), '-af', 'adelay=500,apad', '-t', '6'];
    const clip = await cached('real-engines-story', 'mp4', [input, encoding], (path) =>
      ffmpeg([...input, ...encoding, path]),
    );
    const target = await openHost({ suffix: 'realengines', env: { captions: env } });
    try {
      const partner = await target.newPartner('Engines');
      const id = await partner.submit(await target.serve(clip), { title: 'A match', language_code: 'en' });
      await partner.settled(id);
      const record = await partner.tracksSettled(id);
      expect(describeTracks(record)).to.deep.equal(['en', ...TARGETS].map((language) => `${language} ready`));
      const token = await target.mint(record.playback?.playback_id ?? '');
      const { tracks, breaches } = await walkTracks(`${record.playback?.hls_url}?token=${token}`);
      expect(breaches).to.deep.equal([]);
      const textOf = (language: string): string =>
        tracks
          .find((track) => track.language === language)
          ?.cues.map(({ text }) => text)
          .join(' ')
          .replaceAll(/\s+/g, ' ') ?? '';
      expect(textOf('en')).to.match(/striker scores the winning goal and the crowd/i);
      expect(textOf('es')).to.match(/\[es\].*striker scores the winning goal/i);
    } finally {
      await target.close();
    }
  });

  const translate = async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${translation.url}/translate`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('LibreTranslate and the engines of the test kit answer alike: /languages, a text, and a list in its order', async () => {
    const engines = await startEngines({ languages: ['en', 'es', 'zh-Hans'] });
    try {
      const keysOf = async (url: string) => {
        const rows = (await (await fetch(`${url}/languages`)).json()) as Record<string, unknown>[];
        return rows.map((row) => Object.keys(row).toSorted());
      };
      const [ours] = await keysOf(engines.url);
      for (const theirs of await keysOf(translation.url)) expect(theirs).to.deep.equal(ours);
      for (const q of ['One.', ['One & two.', 'Three.']]) {
        const request = { q, source: 'en', target: 'zh-Hans', format: 'text', api_key: KEYS.translation };
        const { status, body } = await translate(request);
        expect(status).to.equal(200);
        const expected = Array.isArray(q) ? q.map((text) => `[zh] ${text}`) : `[zh] ${q}`;
        expect(body).to.deep.equal({ translatedText: expected });
        const fake = await fetch(`${engines.url}/translate`, { method: 'POST', body: JSON.stringify(request) });
        const answered = (await fake.json()) as Record<string, unknown>;
        expect(Object.keys(answered)).to.deep.equal(Object.keys(body));
        expect(Array.isArray(answered['translatedText'])).to.equal(Array.isArray(q));
      }
    } finally {
      await engines.close();
    }
  });

  const good = { q: ['One.'], source: 'en', target: 'es', format: 'text', api_key: KEYS.translation };
  const rejected: Readonly<Record<string, [status: number, error: RegExp, body: object]>> = {
    'no text': [400, /missing q/, { ...good, q: undefined }],
    'a language that it lacks': [400, /xx is not supported/, { ...good, target: 'xx' }],
    'another format': [400, /pdf format is not supported/, { ...good, format: 'pdf' }],
    'a text above its limit': [400, /exceeds text limit \(5000\)/, { ...good, q: ['x'.repeat(5_001)] }],
    'a list above its limit': [400, /exceeds text limit \(50\)/, { ...good, q: Array<string>(51).fill('x') }],
    'no key': [400, /API key/, { ...good, api_key: undefined }],
    'a wrong key': [403, /Invalid API key/, { ...good, api_key: 'wrong' }],
  };
  for (const [what, [status, error, body]] of Object.entries(rejected))
    it(`LibreTranslate rejects ${what} with ${status} and an error text`, async () => {
      const answered = await translate(body);
      expect(answered.status).to.equal(status);
      expect(Object.keys(answered.body)).to.deep.equal(['error']);
      expect(answered.body['error']).to.match(error);
    });

  it('the speech server rejects a wrong key, another model and an unknown language in OpenAI’s form', async () => {
    const form = async (fields: Readonly<Record<string, string>>, key = KEYS.speech) => {
      const body = new FormData();
      body.set('file', new Blob([await readFile(sound)]), 'speech.wav');
      for (const [name, value] of Object.entries({ model: SPEECH_MODEL, ...fields })) body.set(name, value);
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${speech.url}/v1/audio/transcriptions`, { method: 'POST', headers, body });
      return { status: response.status, body: (await response.json()) as { error?: { code: string }; text?: string } };
    };
    expect(await form({}, 'wrong')).to.deep.include({ status: 401 });
    const other = await form({ model: 'large-v9' });
    expect(other.status).to.equal(404);
    expect(other.body.error?.code).to.equal('model_not_found');
    expect((await form({ language: 'xx' })).status).to.equal(400);
    expect((await form({ language: 'en' })).body.text).to.match(/winning goal/i);
  });
});
