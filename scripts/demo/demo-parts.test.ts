import { expect } from 'chai';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.ts';
import { openDoor, withToken, type Door } from './door.ts';
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
  it('are a made clip without any', () => {
    expect(readArguments([])).to.deep.equal({ source: { kind: 'clip' }, once: false, help: false });
  });

  it('may be an https address', () => {
    const { source, once } = readArguments(['https://media.test/a.mp4?x=1', '--once']);
    expect(source).to.deep.equal({ kind: 'address', url: 'https://media.test/a.mp4?x=1' });
    expect(once).to.equal(true);
  });

  it('may be a file that is there', () => {
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
    it(`are refused with ${what}`, () => expect(() => readArguments([...args])).to.throw());
  }
});

describe('the door of the player page', () => {
  let door: Door;
  let playback: StatusRecord['playback'] = stream;

  before(async () => {
    door = await openDoor({
      record: async () => record(playback),
      token: async (playbackId, seconds) => `token-of-${playbackId}-${seconds}`,
      playbackUrl: 'https://play.test/base',
    });
  });
  after(() => door.close());

  it('serves the page, its parts and hls.js, and lets them reach playback alone', async () => {
    for (const path of ['', 'player.js', 'style.css', 'panels.css', 'icon.svg', 'hls.mjs', 'hls.worker.js']) {
      const response = await fetch(`${door.url}${path}`);
      expect(response.status, path).to.equal(200);
      const policy = response.headers.get('content-security-policy') ?? '';
      const hosts = [...policy.matchAll(/https?:\/\/[^\s;]+/g)].map(([host]) => host);
      expect(new Set(hosts)).to.deep.equal(new Set(['https://play.test']));
    }
  });

  it('passes the record on', async () => {
    expect(await (await fetch(`${door.url}api/video`)).json()).to.deep.equal(record(stream));
  });

  it('gives the address of the stream with a token of its own video', async () => {
    const { url } = (await (await fetch(`${door.url}api/stream`)).json()) as { url: string };
    expect(url).to.equal('https://play.test/p1.m3u8?token=token-of-p1-25');
  });

  it('mints nothing while there is nothing to play', async () => {
    playback = null;
    const response = await fetch(`${door.url}api/stream`);
    playback = stream;
    expect(response.status).to.equal(409);
    expect(await response.text()).not.to.include('token-of');
  });

  it('refuses to be called by another name, as a foreign page would by DNS rebinding', async () => {
    const status = await new Promise((resolve, reject) => {
      const options = { headers: { host: 'evil.test' } };
      request(`${door.url}api/stream`, options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(421);
  });

  it('keeps what an address already asks for when it adds the token', () => {
    expect(withToken('https://play.test/p1.m3u8?x=1', 'a.b')).to.equal('https://play.test/p1.m3u8?x=1&token=a.b');
  });
});

describe('following a video', () => {
  it('says every change once and ends with the status that is not processing', async () => {
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
      say: (line) => lines.push(line.replace(/^[\s\d.]+ s\s+/, '').replace(/\s+/g, ' ')),
      signal: new AbortController().signal,
      everyMs: 1,
      askEveryMs: 1,
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

  it('stops when it is told to', async () => {
    const stopping = AbortSignal.timeout(20);
    const follow = followVideo({
      stages: async () => [{ stage: 'fetch', state: 'started', progress: 0 }],
      status: async () => 'processing',
      say: () => {},
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
