import { expect } from 'chai';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ReportViews } from '@vds/player';
import { reportViews } from '@vds/player-analytics';
import { readArguments } from './arguments.ts';
import { startPageServer, withToken, type PageServer } from './page-server.ts';
import type { StatusRecord } from '@vds/testkit/stack/partner';

function record(playback: StatusRecord['playback']): StatusRecord {
  return {
    id: 'vid_0123456789abcdefghjkmnpqrs',
    status: playback === null ? 'processing' : 'ready',
    is_available: playback !== null,
    title: 'A title',
    summary: null,
    tags: [],
    thumbnail_url: null,
    playback,
    duration_seconds: 25,
    created_at: '2030-01-01T00:00:00.000Z',
  };
}
const stream = { playback_id: 'p1', hls_url: 'https://play.test/p1.m3u8', thumbnail_url: 'https://play.test/t/p1.jpg' };

describe('the arguments of the demo', () => {
  it('without arguments the demo makes its own clips', () => {
    expect(readArguments([])).to.deep.equal({
      source: { kind: 'clips' },
      description: {},
      engines: {},
      once: false,
      verbose: false,
      help: false,
    });
  });

  it('title, sport and language describe a video of one’s own', () => {
    const described = ['--title', 'Our final', '--sport', 'tennis', '--language', 'es', '--verbose'];
    const { description, verbose } = readArguments(['https://media.test/a.mp4', ...described]);
    expect(description).to.deep.equal({ title: 'Our final', sport: 'tennis', language: 'es' });
    expect(verbose).to.equal(true);
  });

  it('an unknown sport is rejected with the sports there are', () => {
    expect(() => readArguments(['https://media.test/a.mp4', '--sport', 'chess'])).to.throw(/'chess'.*tennis, soccer/);
  });

  it('servers for speech and translation are settings of captions, and must be http addresses', () => {
    expect(
      readArguments(['--speech', 'http://127.0.0.1:8000/v1', '--translation', 'https://lt.test']).engines,
    ).to.deep.equal({
      SPEECH_ENGINE: 'openai',
      SPEECH_URL: 'http://127.0.0.1:8000/v1',
      SPEECH_MODEL: 'whisper-1',
      TRANSLATION_ENGINE: 'libretranslate',
      TRANSLATION_URL: 'https://lt.test',
    });
    for (const option of ['--speech', '--translation'])
      for (const text of ['127.0.0.1:8000', 'ftp://lt.test', 'http://', ''])
        expect(() => readArguments([option, text])).to.throw(`${option} '${text}' is not an http or https address`);
  });

  it('a speech server gets the name of its own model, and never the folder of the embedded one', () => {
    const named = ['--speech', 'http://127.0.0.1:8000', '--speech-model', 'Systran/faster-whisper-small'];
    expect(readArguments(named).engines['SPEECH_MODEL']).to.equal('Systran/faster-whisper-small');
    expect(() => readArguments(['--speech-model', 'small'])).to.throw('give --speech too');
    expect(() => readArguments([...named.slice(0, 2), '--speech-model', ' '])).to.throw('name of a model');
  });

  it('the demo accepts an https address', () => {
    const { source, once } = readArguments(['https://media.test/a.mp4?x=1', '--once']);
    expect(source).to.deep.equal({ kind: 'address', url: 'https://media.test/a.mp4?x=1' });
    expect(once).to.equal(true);
  });

  it('the demo accepts an existing file', () => {
    const path = fileURLToPath(import.meta.url);
    expect(readArguments(['--file', path]).source).to.deep.equal({ kind: 'file', path });
  });

  for (const [what, args] of [
    ['an http address', ['http://media.test/a.mp4']],
    ['no address', ['clip.mp4']],
    ['two addresses', ['https://media.test/a.mp4', 'https://media.test/b.mp4']],
    ['an address and a file', ['https://media.test/a.mp4', '--file', fileURLToPath(import.meta.url)]],
    ['a file that is not there', ['--file', `${tmpdir()}/no-such-file.mp4`]],
    ['a folder', ['--file', tmpdir()]],
    ['an unknown option', ['--twice']],
    ['a title for its own clips', ['--title', 'Our final']],
    ['an empty title', ['https://media.test/a.mp4', '--title', ' ']],
    ['a language with its country', ['https://media.test/a.mp4', '--language', 'en-US']],
  ] as const) {
    it(`the demo rejects ${what}`, () => expect(() => readArguments([...args])).to.throw());
  }
});

describe('the server of the player page', () => {
  let server: PageServer;
  let playback: StatusRecord['playback'] = stream;

  before(async () => {
    server = await startPageServer({
      record: async () => record(playback),
      token: async (playbackId, seconds) => `token-of-${playbackId}-${seconds}`,
      playbackUrl: 'https://play.test/base',
    });
  });
  after(() => server.close());

  it('the page server serves the player with hls.js, which may connect to playback only', async () => {
    for (const path of [
      '',
      'player.js',
      'style.css',
      'player.css',
      'panels.css',
      'base.css',
      'icon.svg',
      'hls.mjs',
      'player/player.ts',
    ]) {
      const response = await fetch(`${server.url}${path}`);
      expect(response.status, path).to.equal(200);
      const policy = response.headers.get('content-security-policy') ?? '';
      const hosts = [...policy.matchAll(/https?:\/\/[^\s;]+/g)].map(([host]) => host);
      expect(new Set(hosts)).to.deep.equal(new Set(['https://play.test']));
    }
  });

  it('the page server returns the video’s record', async () => {
    expect(await (await fetch(`${server.url}api/video`)).json()).to.deep.equal(record(stream));
  });

  it('the page server returns the stream’s address with a token of its video', async () => {
    const { url } = (await (await fetch(`${server.url}api/stream`)).json()) as { url: string };
    expect(url).to.equal('https://play.test/p1.m3u8?token=token-of-p1-25');
  });

  it('the page server mints no token while there is nothing to play', async () => {
    playback = null;
    const response = await fetch(`${server.url}api/stream`);
    playback = stream;
    expect(response.status).to.equal(409);
    expect(await response.text()).not.to.include('token-of');
  });

  it('the page server rejects another host name, as in DNS rebinding', async () => {
    const status = await new Promise((resolve, reject) => {
      const options = { headers: { host: 'evil.test' } };
      request(`${server.url}api/stream`, options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(421);
  });

  it('adding the token keeps the query of the address', () => {
    expect(withToken('https://play.test/p1.m3u8?x=1', 'a.b')).to.equal('https://play.test/p1.m3u8?x=1&token=a.b');
  });
});

describe('the packages of the player', () => {
  it('`VdsPlayer.reportViews = reportViews` compiles', () => {
    const hook: ReportViews = reportViews;
    expect(hook).to.be.a('function');
  });
});
