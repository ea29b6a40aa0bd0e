/** Transcripts from a bucket that hangs, or that denies access to missing keys. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { TrackOut } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import { trackDocument } from '@vds/proto/documents/track';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { openObjects } from '@vds/chassis/objects/objects';
import { openTranscripts } from '../src/outbound/transcripts.ts';

const CALL_MS = 1_000;
function track(textKey: string) {
  return [{ language: 'en', status: 'ready', textKey } as TrackOut];
}
const denied = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
const sentence = { startMs: 0, endMs: 1, text: 'hello', cues: [] };
const words = trackDocument.write({
  version: 1,
  videoId: 'v1',
  language: 'en',
  kind: 'captions',
  sentences: [sentence],
});

describe('transcripts', () => {
  const servers: Server[] = [];
  const readerOf = async (listener: RequestListener) => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const s3Endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = { s3Endpoint, s3Region: 'us-east-1', s3AccessKey: 'key', s3SecretKey: 'secret' };
    const log = createLogger('indexer', 'error', { write: () => {} });
    return openTranscripts(openObjects(config, 'captions', { callMs: CALL_MS }), log);
  };
  after(() => {
    for (const server of servers) server.close().closeAllConnections();
  });
  const timed = async (work: Promise<unknown>): Promise<{ readonly code: string; readonly tookMs: number }> => {
    const at = performance.now();
    const error: unknown = await work.then(
      () => undefined,
      (cause: unknown) => cause,
    );
    return { code: error instanceof AppError ? error.code : String(error), tookMs: performance.now() - at };
  };

  it('while the bucket hangs one read at a time waits for it, until its timeout', async () => {
    const read = await readerOf((_request, response) => void response.writeHead(200).write('{"sentences":'));
    const first = await timed(read(track('a')));
    expect(first.code).to.equal('UNAVAILABLE');
    expect(first.tookMs).to.be.within(CALL_MS - 50, CALL_MS * 3);
    const [one, other] = await Promise.all([timed(read(track('b'))), timed(read(track('c')))]);
    expect([one.code, other.code]).to.deep.equal(['UNAVAILABLE', 'UNAVAILABLE']);
    expect(one.tookMs).to.be.above(CALL_MS - 50);
    expect(other.tookMs).to.be.below(CALL_MS / 2);
  });

  it('a lost track has no sentences if the bucket, which was read before, denies access to missing keys', async () => {
    const read = await readerOf((request, response) =>
      request.url?.endsWith('/there') ? void response.end(words) : void response.writeHead(403).end(denied),
    );
    expect((await timed(read(track('lost')))).code).to.equal('UNAVAILABLE');
    expect(await read(track('there'))).to.deep.equal([{ language: 'en', sentences: [{ atMs: 0, text: 'hello' }] }]);
    expect(await read(track('lost'))).to.deep.equal([{ language: 'en', sentences: [] }]);
  });
});
