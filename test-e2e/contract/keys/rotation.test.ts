/**
 * Keys are rotated and revoked, and limits changed, while requests run over three gateways and three processes of auth.
 */
import { expect } from 'chai';
import { orUndefinedIfLost } from '../../probes/lost-reply.ts';
import {
  describeSummary,
  runKeyRotations,
  sumOf,
  type CurrentKey,
  type Outcome,
  type RotationSummary,
} from '../../probes/key-rotation-log.ts';
import { runSettings } from '../../probes/settings-run.ts';
import { sharedContract, type Contract } from '../../harness/host/shared-contract.ts';

const long = process.env['VDS_LONG'] === '1';
const CHAINS = 3;
const outcomes: Readonly<Record<number, Outcome>> = { 200: 'passed', 401: 'rejected', 500: 'unanswered' };

type Replace = (key: CurrentKey) => Promise<CurrentKey | undefined>;

describe('a change of a key', function () {
  this.timeout(long ? 1_800_000 : 300_000);

  let contract: Contract;
  let publisherId: string;
  let path: string;
  before(async () => {
    contract = await sharedContract();
    publisherId = await contract.newPublisher('Rotation');
    const { secretKey } = await contract.newKey(publisherId);
    path = `/v1/videos/${await contract.partner(secretKey).submit('https://example.com/rotation.mp4')}`;
  });

  let calls = 0;
  const read = (secretKey: string) => contract.partner(secretKey, calls++).call('GET', path);
  const send = async (secretKey: string): Promise<Outcome> => {
    const { status, body } = await read(secretKey);
    const outcome = outcomes[status];
    if (outcome === undefined) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
    return outcome;
  };
  const issue = async (): Promise<CurrentKey> => {
    const { key, secretKey } = await contract.newKey(publisherId);
    return { id: key.id, secretKey };
  };
  const chains = async (requests: number, replace: Replace): Promise<RotationSummary> => {
    const one = () =>
      runKeyRotations({ issue, replace, send, requests: requests / CHAINS, clients: 5, requestsPerChange: 4 });
    return sumOf(await Promise.all(Array.from({ length: CHAINS }, one)));
  };
  const expectNoGap = (what: string, summary: RotationSummary, requests: number): void => {
    console.log(`      ${describeSummary(what, summary)}`);
    expect(summary.lateSuccesses, 'requests that started after the end of their key and succeeded').to.equal(0);
    expect(summary.gaps, 'requests with the new key that were rejected').to.equal(0);
    expect(summary.unanswered).to.be.below(requests / 10);
    expect(summary.requests).to.be.at.least(requests);
    expect(summary.late).to.be.at.least(requests / 5);
    expect(summary.due).to.be.at.least(requests / 10);
    expect(summary.changes).to.be.at.least(CHAINS * 3);
  };

  it('after the reply to a rotation every request with the old key fails and every one with the new key works', async () => {
    const requests = long ? 10_000 : 450;
    const rotate: Replace = async ({ id }) => {
      const reply = await orUndefinedIfLost(contract.keys.RotateKey({ keyId: id }));
      return reply && { id: reply.key?.id ?? '', secretKey: reply.secretKey };
    };
    expectNoGap('rotation', await chains(requests, rotate), requests);
  });

  it('after the reply to a revocation every request with the key fails', async () => {
    const requests = long ? 10_000 : 450;
    const revoke: Replace = async ({ id }) => {
      const next = await issue();
      return (await orUndefinedIfLost(contract.keys.RevokeKey({ keyId: id }))) && next;
    };
    expectNoGap('revocation', await chains(requests, revoke), requests);
  });

  it('a changed minute limit applies from the next request on', async () => {
    const requests = long ? 5_000 : 300;
    const { id, secretKey } = await issue();
    const limits: Readonly<Record<number, number>> = { 200: 10_000, 429: 1 };
    const { settled, wrong, changes } = await runSettings({
      values: [10_000, 1],
      set: async (minuteLimit) => void (await contract.keys.SetLimits({ keyId: id, minuteLimit })),
      // With one request in the minute already, a limit of 1 rejects and a limit of 10,000 admits.
      send: async () => limits[(await read(secretKey)).status],
      requests,
    });
    console.log(`      minute limit: ${changes} changes, ${settled} requests between them, ${wrong} by another limit`);
    expect(wrong).to.equal(0);
    expect(changes).to.be.at.least(6);
    expect(settled).to.be.at.least(requests / 5);
  });

  it('a changed daily limit applies from the next request on at every gateway', async () => {
    const { id, secretKey } = await issue();
    const body = { source_url: 'https://example.com/a.mp4', title: 'A test' };
    const post = async (gateway: number): Promise<string> => {
      const response = await fetch(`${contract.gateways[gateway]}/v1/videos`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      return `${response.status} ${response.headers.get('x-ratelimit-daily-remaining')}`;
    };
    const seen: string[] = [];
    for (const [gateway, dailyLimit] of [
      [0, 5],
      [1, 2],
      [2, 2],
      [0, 100],
      [1, 3],
    ] as const) {
      await contract.keys.SetLimits({ keyId: id, dailyLimit });
      seen.push(await post(gateway));
    }
    expect(seen).to.deep.equal(['202 4', '202 0', '429 0', '202 97', '429 0']);
  });
});
