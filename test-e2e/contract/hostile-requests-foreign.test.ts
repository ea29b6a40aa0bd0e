/** A video of another publisher is indistinguishable from one that does not exist, down to every byte and header. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { contractFaults } from '@vds/proto/testing/contract-check';
import { expect } from 'chai';
import { bare } from '../harness/apps-client.ts';
import type { Partner } from '../harness/partner-client.ts';
import { states as bringTo } from '../fixtures/states.ts';
import { sharedFixture, type SharedFixture } from '../harness/host/shared-fixture.ts';

/** Every status of the record, and every difference that an operation could reveal within one. */
const states = [
  'processing, just accepted',
  'processing with an archive queued',
  'processing with a delete queued',
  'processing and held',
  'ready',
  'archived',
  'held by the operator',
  'failed at inspect',
  'deleted after it was ready',
] as const;

const operations: readonly (readonly [method: string, path: (id: string) => string])[] = [
  ['GET', (id) => `/v1/videos/${id}`],
  ['POST', (id) => `/v1/videos/${id}/archive`],
  ['POST', (id) => `/v1/videos/${id}/republish`],
  ['DELETE', (id) => `/v1/videos/${id}`],
];

type Bytes = { readonly status: number; readonly head: string; readonly body: string };

/** The response byte for byte, except for the request id and the date: header names as they were written, in order. */
async function send({ base, key }: Partner, method: string, path: string): Promise<Bytes> {
  const sent = request(`${base}${path}`, { method, headers: { authorization: `Bearer ${key}` }, agent: false });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await buffer(answer)).toString('utf8');
  const headers = new Headers(Object.entries(answer.headersDistinct).map(([name, values]) => [name, String(values)]));
  const status = answer.statusCode ?? 0;
  const faults = contractFaults(method, path, { status, headers, body: JSON.parse(text) });
  expect(faults, `${method} ${path}`).to.deep.equal([]);
  const id = headers.get('x-request-id') ?? '';
  const head = answer.rawHeaders.join('\n').replace(/^date\n.*$/im, 'Date');
  return { status, head: head.replace(id, '<id>'), body: text.replace(id, '<id>') };
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** An id that does not exist, derived from one that does. */
function similarId(id: string): string {
  return id.slice(0, -1) + alphabet.charAt((alphabet.indexOf(id.slice(-1)) + 1) % alphabet.length);
}
/** Ids that no video can have. */
function malformed(id: string): readonly string[] {
  return [
    id.toUpperCase(),
    `vid_${id}0`,
    id.slice(1),
    `vid_vid_${id}`,
    '%00',
    `${id}%2Farchive`,
    encodeURIComponent(`${id}' OR '1'='1`),
    '%f0%9f%92%a9',
  ];
}

describe('another publisher’s video', () => {
  let fixture: SharedFixture;
  let owner: Partner;
  const videos = new Map<string, string>();

  before(async function () {
    this.timeout(120_000);
    fixture = await sharedFixture();
    const { steps } = await fixture.newPublisher('Owner');
    owner = steps.partner;
    const prepared = states.map(async (state) => {
      const id = await owner.submit('https://origin.example.com/foreignIds.mp4');
      await bringTo[state]?.(id, steps);
      videos.set(state, bare(id));
    });
    await Promise.all(prepared);
  });

  /** Two keys with the same remaining minute limit, so that both count down alike; one gateway each. */
  const foreignPartners = async (): Promise<readonly [Partner, Partner][]> => {
    const publisher = await fixture.stack.newPublisher('Other partner');
    const secrets = [await fixture.stack.newKey(publisher), await fixture.stack.newKey(publisher)];
    return fixture.stack.gateways.map((_, gateway) => {
      const [one, other] = secrets.map(({ secretKey }) => fixture.stack.partner(secretKey, gateway));
      if (!one || !other) throw new Error('two keys were issued');
      return [one, other];
    });
  };

  const expectAlike = async (foreignIds: readonly string[], unknownIds: readonly string[]): Promise<void> => {
    for (const [one, other] of await foreignPartners())
      for (const [method, path] of operations)
        for (const [index, id] of foreignIds.entries()) {
          const response = await send(one, method, path(id));
          expect(response.status).to.equal(404);
          expect(response).to.deep.equal(
            await send(other, method, path(unknownIds[index % unknownIds.length] ?? '')),
            path(id),
          );
        }
  };

  for (const state of states)
    it(`another publisher’s video that is ${state} is answered like an unknown id and stays unchanged`, async () => {
      const id = videos.get(state) ?? '';
      const before = await owner.get(id);
      await expectAlike([id, `vid_${id}`, `%76id_${id}`], [similarId(id)]);
      expect(await owner.get(id)).to.deep.equal(before);
    });

  it('another publisher’s video is answered like a malformed id', async () => {
    const id = videos.get('ready') ?? '';
    await expectAlike(malformed(id), [id]);
  });

  it('a video is found by its owner under each of these spellings', async () => {
    const id = videos.get('ready') ?? '';
    for (const spelling of [id, `vid_${id}`, `%76id_${id}`])
      expect((await send(owner, 'GET', `/v1/videos/${spelling}`)).status).to.equal(200);
  });
});
