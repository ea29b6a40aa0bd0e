import { expect } from 'chai';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.ts';
import { startPageServer, withToken, type PageServer } from './page-server.ts';
import { followVideo } from './follow-video.ts';
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
  it('without arguments the demo uses a generated clip', () => {
    expect(readArguments([])).to.deep.equal({ source: { kind: 'clip' }, once: false, help: false });
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
    for (const path of ['', 'player.js', 'style.css', 'panels.css', 'icon.svg', 'hls.mjs', 'hls.worker.js']) {
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

describe('following a video', () => {
  it('following a video prints every change once and ends with the first status that is not processing', async () => {
    const rounds = [
      [{ stage: 'fetch', state: 'requested', progress: 0 }],
      [{ stage: 'fetch', state: 'started', progress: 41 }],
      [{ stage: 'fetch', state: 'started', progress: 44 }],
      [
        { stage: 'fetch', state: 'completed', progress: 100 },
        { stage: 'encode', state: 'started', progress: 0 },
      ],
      [
        { stage: 'fetch', state: 'completed', progress: 100 },
        { stage: 'encode', state: 'completed', progress: 100 },
      ],
    ];
    const lines: string[] = [];
    const ended = await followVideo({
      stages: async () => rounds.shift() ?? [],
      status: async () => 'ready',
      print: (line) => lines.push(line.replace(/^[\s\d.]+ s\s+/, '').replace(/\s+/g, ' ')),
      signal: new AbortController().signal,
      everyMs: 1,
      statusEveryMs: 1,
    });
    expect(ended).to.equal('ready');
    expect(lines).to.deep.equal([
      'fetch requested',
      'fetch started 40 %',
      'fetch completed',
      'encode started',
      'encode completed',
    ]);
  });

  it('following a video stops when it is aborted', async () => {
    const stopping = AbortSignal.timeout(20);
    const follow = followVideo({
      stages: async () => [{ stage: 'fetch', state: 'started', progress: 0 }],
      status: async () => 'processing',
      print: () => {},
      signal: stopping,
      everyMs: 5,
    });
    expect(
      await follow.then(
        () => 'ended',
        (error: Error) => error.name,
      ),
    ).to.equal('AbortError');
  });
});
