import type { OperationReply } from '@vds/proto/generated/vds/catalog/v1/OperationReply.ts';
import type { Video } from '@vds/proto/generated/vds/catalog/v1/Video.ts';
import { AppError } from '@vds/chassis/errors';
import { expect } from 'chai';
import { caller, errorOf, servePeers, startGateway, type Gateway } from './gateway.ts';

const id = '01jd3m8q0c7e5b9x2k4n6p8rst';
const ready: Video = {
  id,
  state: 'VIDEO_STATE_READY',
  title: 'Final',
  tags: ['a'],
  languageCode: 'en',
  durationSeconds: 25,
  playbackId: 'pbk1',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:05:05.678Z',
};
const done: Readonly<Record<string, string>> = { archive: 'archived', republish: 'public', delete: 'deleted' };

describe('the operations on a video', () => {
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let gateway: Gateway;
  const calls: unknown[] = [];
  let reply: (method: string) => OperationReply;
  let video: () => Video;

  before(async () => {
    const operation = (method: string) => async (key: { id: string; publisherId: string }) => {
      calls.push([method, key.id, key.publisherId]);
      return reply(method);
    };
    peers = await servePeers({
      auth: { Authorize: async () => caller },
      catalog: {
        GetVideo: async (key) => {
          calls.push(['get', key.id, key.publisherId]);
          return video();
        },
        ArchiveVideo: operation('archive'),
        RepublishVideo: operation('republish'),
        DeleteVideo: operation('delete'),
      },
    });
    gateway = await startGateway(peers.port);
  });
  after(async () => {
    await gateway.close();
    await peers.close();
  });
  beforeEach(() => {
    calls.splice(0);
    video = () => ready;
    reply = (method) => ({ id, status: done[method] ?? '', queued: false });
  });
  const verbs: readonly (readonly [name: string, method: string, path: string])[] = [
    ['get', 'GET', `/v1/videos/${id}`],
    ['archive', 'POST', `/v1/videos/${id}/archive`],
    ['republish', 'POST', `/v1/videos/${id}/republish`],
    ['delete', 'DELETE', `/v1/videos/${id}`],
  ];
  it('GET returns the record of a video', async () => {
    const seen = await gateway.callAs('k', 'GET', `/v1/videos/vid_${id}`);
    expect(seen.status).to.equal(200);
    expect(seen.body).to.deep.include({ id: `vid_${id}`, status: 'ready', is_available: true, duration_seconds: 25 });
    expect((seen.body as { playback: object }).playback).to.deep.equal({
      playback_id: 'pbk1',
      hls_url: 'https://play.example.com/pbk1.m3u8',
      thumbnail_url: 'https://play.example.com/t/pbk1.jpg',
    });
  });

  it('If-None-Match: * is 304 for a video that exists, and 200 where the asterisk is an entity tag', async () => {
    const statusFor = async (tags: string): Promise<number> => {
      const headers = { authorization: 'Bearer k', 'if-none-match': tags };
      return (await fetch(`${gateway.base}/v1/videos/${id}`, { headers })).status;
    };
    expect([await statusFor('*'), await statusFor('"*"')]).to.deep.equal([304, 200]);
  });

  for (const [name, method, path] of verbs) {
    it(`${name} calls catalog for the key’s publisher, with or without the prefix of the id`, async () => {
      await gateway.callAs('k', method, path);
      await gateway.callAs('k', method, path.replace(id, `vid_${id}`));
      expect(calls).to.deep.equal([
        [name, id, 'pub1'],
        [name, id, 'pub1'],
      ]);
    });

    it(`${name} of a malformed id is 404 without a call`, async () => {
      for (const bad of [
        'x',
        'vid_',
        `vid_${id}0`,
        `8${id.slice(1)}`,
        id.toUpperCase(),
        `vid_vid_${id}`,
        `${id}%00`,
        '%F0%9F%98%80',
      ]) {
        const seen = await gateway.callAs('k', method, path.replace(id, bad));
        expect([seen.status, errorOf(seen).code]).to.deep.equal([404, 'not_found']);
      }
      expect(calls).to.deep.equal([]);
    });

    it(`${name} of an unknown video is 404 with the gateway’s own message`, async () => {
      reply = () => {
        throw new AppError('NOT_FOUND', 'row 5 of videos not found');
      };
      video = reply as never;
      const seen = await gateway.callAs('k', method, path);
      expect([seen.status, errorOf(seen).code, errorOf(seen).message]).to.deep.equal([
        404,
        'not_found',
        'There is no such video.',
      ]);
    });

    it(`${name} is a 500 when catalog rejects the service token or fails`, async () => {
      for (const code of [
        'PERMISSION_DENIED',
        'UNAUTHENTICATED',
        'RESOURCE_EXHAUSTED',
        'INVALID_ARGUMENT',
        'ABORTED',
      ] as const) {
        reply = () => {
          throw new AppError(code, 'secret detail');
        };
        video = reply as never;
        const seen = await gateway.callAs('k', method, path);
        expect([seen.status, errorOf(seen).code], code).to.deep.equal([500, 'internal_error']);
        expect(errorOf(seen).message).not.to.include('secret');
      }
    });
  }

  it('a completed operation is 200 and a queued one is 202', async () => {
    const replies: readonly (readonly [method: string, reply: OperationReply, status: number, body: object])[] = [
      ['archive', { id, status: 'archived', queued: false }, 200, { id: `vid_${id}`, status: 'archived' }],
      [
        'archive',
        { id, status: 'archive_queued', queued: true, message: 'Later.' },
        202,
        { id: `vid_${id}`, status: 'archive_queued', message: 'Later.' },
      ],
      ['republish', { id, status: 'public', queued: false }, 200, { id: `vid_${id}`, status: 'public' }],
      [
        'republish',
        { id, status: 'processing', queued: true, message: 'Cancelled.' },
        202,
        { id: `vid_${id}`, status: 'processing', message: 'Cancelled.' },
      ],
      ['delete', { id, status: 'deleted', queued: false }, 200, { id: `vid_${id}`, status: 'deleted' }],
      [
        'delete',
        { id, status: 'processing', queued: true, message: 'Soon.' },
        202,
        { id: `vid_${id}`, status: 'processing', message: 'Soon.' },
      ],
    ];
    for (const [name, given, status, body] of replies) {
      reply = () => given;
      const [, method, path] = verbs.find(([verb]) => verb === name) ?? ['', '', ''];
      const seen = await gateway.callAs('k', method, path);
      expect([seen.status, seen.body]).to.deep.equal([status, body]);
    }
  });

  it('a rejection by catalog is passed on with its message', async () => {
    reply = () => {
      throw new AppError('FAILED_PRECONDITION', 'The video is held by the operator.', { reason: 'held' });
    };
    const seen = await gateway.callAs('k', 'POST', `/v1/videos/${id}/republish`);
    expect([seen.status, errorOf(seen).code, errorOf(seen).message]).to.deep.equal([
      400,
      'invalid_input',
      'The video is held by the operator.',
    ]);
    expect(seen.headers.has('x-ratelimit-daily-remaining')).to.equal(false);
  });

  it('the body of an operation without one is ignored', async () => {
    const seen = await gateway.callAs('k', 'POST', `/v1/videos/${id}/archive`, {
      body: '{"broken',
      headers: { 'content-type': 'text/plain' },
    });
    expect(seen.status).to.equal(200);
  });

  it('a request gets 500 in time when a called service hangs or is down', async () => {
    video = () => new Promise(() => {}) as never;
    for (const port of [peers.port, 1]) {
      const impatient = await startGateway(port, { peerTimeoutMs: 700 });
      try {
        expect((await impatient.callAs('k', 'GET', `/v1/videos/${id}`)).status).to.equal(500);
      } finally {
        await impatient.close();
      }
    }
  });
});
