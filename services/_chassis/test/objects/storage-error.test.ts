import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type AppError, classify } from '../../src/errors.ts';
import { openObjects } from '../../src/objects/objects.ts';

type Response = { readonly status: number; readonly code?: string; readonly date?: Date };

const HOUR = 3_600_000;
const cases: readonly (readonly [what: string, response: Response, code: string, reason: string])[] = [
  ['a missing key', { status: 404, code: 'NoSuchKey' }, 'NOT_FOUND', 'object_not_found'],
  ['a missing upload', { status: 404, code: 'NoSuchUpload' }, 'NOT_FOUND', 'upload_not_found'],
  ['a missing bucket', { status: 404, code: 'NoSuchBucket' }, 'UNAVAILABLE', 'bucket_not_found'],
  ['a missing permission', { status: 403, code: 'AccessDenied' }, 'PERMISSION_DENIED', 'access_denied'],
  ['an unknown access key', { status: 403, code: 'InvalidAccessKeyId' }, 'UNAVAILABLE', 'credentials_rejected'],
  ['a wrong secret', { status: 403, code: 'SignatureDoesNotMatch' }, 'UNAVAILABLE', 'credentials_rejected'],
  ['a wrong clock', { status: 403, code: 'RequestTimeTooSkewed' }, 'UNAVAILABLE', 'clock_skewed'],
  ['too many requests', { status: 503, code: 'SlowDown' }, 'UNAVAILABLE', 'slow_down'],
  ['a 429', { status: 429 }, 'UNAVAILABLE', 'slow_down'],
  ['an error of the server', { status: 500, code: 'InternalError' }, 'UNAVAILABLE', 'storage_failed'],
  ['a gateway without its server', { status: 502 }, 'UNAVAILABLE', 'storage_failed'],
];

describe('errors of object storage', () => {
  const servers: Server[] = [];
  let requests = 0;
  const objectsOf = async ({ status, code, date }: Response) => {
    const body =
      code === undefined ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
    const server = createServer((_request, response) => {
      requests += 1;
      response
        .writeHead(status, { ...(date && { date: date.toUTCString() }), 'content-type': 'application/xml' })
        .end(body);
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const s3Endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return openObjects({ s3Endpoint, s3Region: 'us-east-1', s3AccessKey: 'key', s3SecretKey: 'secret' }, 'media');
  };
  const errorOf = (work: Promise<unknown>): Promise<AppError> =>
    work.then(
      () => expect.fail('nothing was thrown'),
      (error: AppError) => error,
    );
  after(() => servers.forEach((server) => server.close().closeAllConnections()));

  for (const [what, response, code, reason] of cases)
    it(`${what} is ${code} with reason ${reason}, a dependency error, and is not repeated`, async () => {
      const objects = await objectsOf(response);
      requests = 0;
      const error = await errorOf(objects.getBytes('a'));
      expect({ code: error.code, reason: error.reason, class: classify(error).class, requests }).to.deep.equal({
        ...{ code, reason, class: 'dependency', requests: 1 },
      });
    });

  it('a wrong clock is distinguished from a missing permission if the response has no body', async () => {
    const skewed = await objectsOf({ status: 403, date: new Date(Date.now() - HOUR) });
    const error = await errorOf(skewed.stat('a'));
    expect(error.reason).to.equal('clock_skewed');
    expect(error.message).to.match(/our clock, which is 3(599|600|601) s off/);
    const denied = await objectsOf({ status: 403, date: new Date() });
    expect(await errorOf(denied.stat('a'))).to.include({ code: 'PERMISSION_DENIED', reason: 'access_denied' });
  });

  it('the readiness check reports that the clock is wrong, and by how much', async () => {
    const skewed = await objectsOf({ status: 403, code: 'RequestTimeTooSkewed', date: new Date(Date.now() + HOUR) });
    expect((await errorOf(skewed.check())).message).to.match(/set the clock of this machine/);
  });
});
