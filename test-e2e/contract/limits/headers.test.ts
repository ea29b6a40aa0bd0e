/** The limits' headers, correct on every response, and settings that apply from the next request on (spec §8). */
import { expect } from 'chai';
import { unknownVideo, submission, type TimedResponse, type ApiRequest } from '../../probes/timed-request.ts';
import { useLimitsStack } from '../../harness/host/limits-stack.ts';

const bad: ApiRequest = { ...submission, body: { title: 'without an address' } };

/** Requests after the first video of a key with 12 requests a minute and 2 videos a day, and their responses. */
function restOf(path: string): readonly [ApiRequest, Partial<TimedResponse>][] {
  return [
    [bad, { status: 400, code: 'invalid_input', daily: '1' }],
    [
      { method: 'GET', path },
      { status: 200, daily: undefined },
    ],
    [
      { method: 'POST', path: `${path}/archive` },
      { status: 202, daily: undefined },
    ],
    [
      { method: 'POST', path: `${path}/republish` },
      { status: 202, daily: undefined },
    ],
    [unknownVideo, { status: 404, code: 'not_found', daily: undefined }],
    [
      { method: 'GET', path: '/v1/videos/nonsense' },
      { status: 404, code: 'not_found', daily: undefined },
    ],
    [submission, { status: 202, daily: '0' }],
    [submission, { status: 429, code: 'daily_ingest_limit', daily: '0' }],
    [bad, { status: 400, code: 'invalid_input', daily: '0' }],
    [
      { method: 'DELETE', path },
      { status: 202, daily: undefined },
    ],
    [
      { method: 'GET', path },
      { status: 200, daily: undefined },
    ],
    [unknownVideo, { status: 429, code: 'rate_limited', daily: undefined }],
    [submission, { status: 429, code: 'rate_limited', daily: undefined }],
    [bad, { status: 429, code: 'rate_limited', daily: undefined }],
    [
      { method: 'DELETE', path },
      { status: 429, code: 'rate_limited', daily: undefined },
    ],
  ];
}

describe('the headers of the limits', function () {
  this.timeout(120_000);
  const limits = useLimitsStack();
  const seen = ({ status, code, minute, daily }: TimedResponse) => ({ status, code, minute, daily });

  it('the headers count the minute down with every response on any gateway, and the day only with a 202', async () => {
    const { sendRoundRobin, freshKey } = limits();
    const { secretKey } = await freshKey({ minuteLimit: 12, dailyLimit: 2 });
    const first = await sendRoundRobin(secretKey, submission);
    const path = `/v1/videos/${first.id}`;
    expect(seen(first)).to.deep.equal({ status: 202, code: undefined, minute: '11', daily: '1' });
    for (const [n, [request, expected]] of restOf(path).entries()) {
      const answer = await sendRoundRobin(secretKey, request);
      const minute = String(Math.max(0, 10 - n));
      expect(seen(answer), `${n}: ${request.method} ${request.path}`).to.deep.equal({
        code: undefined,
        ...expected,
        minute,
      });
      if (answer.status === 429) expect(answer.retryAfter).to.match(/^[1-9]\d*$/);
      else expect(answer.retryAfter).to.equal(undefined);
    }
  });

  it('a 403 uses the minute and has its header, without that of the day', async () => {
    const { sendRoundRobin, freshKey } = limits();
    const { secretKey } = await freshKey({ scopes: ['videos:read'], minuteLimit: 3 });
    for (const minute of ['2', '1', '0']) {
      const answer = await sendRoundRobin(secretKey, submission);
      expect(seen(answer)).to.deep.equal({ status: 403, code: 'insufficient_scope', minute, daily: undefined });
    }
    expect((await sendRoundRobin(secretKey, submission)).code).to.equal('rate_limited');
  });

  it('a 401, and a path that needs no key, have no limit headers', async () => {
    const { sendRoundRobin, freshKey } = limits();
    const { secretKey } = await freshKey({ minuteLimit: 1 });
    const wrong = secretKey.slice(0, -1) + (secretKey.endsWith('a') ? 'b' : 'a');
    for (const key of [undefined, wrong, wrong, 'svc_live_nonsense']) {
      const answer = await sendRoundRobin(key, submission);
      expect([answer.status, answer.minute, answer.daily, answer.retryAfter]).to.deep.equal([
        401,
        undefined,
        undefined,
        undefined,
      ]);
    }
    expect((await sendRoundRobin(secretKey, { method: 'GET', path: '/nowhere' })).minute).to.equal(undefined);
    expect(await sendRoundRobin(secretKey, unknownVideo)).to.include({ status: 404, minute: '0' });
  });
});

describe('the limits of a key', function () {
  this.timeout(120_000);
  const limits = useLimitsStack();

  it('the default limits of a key are 60 a minute and 500 a day', async () => {
    const { sendRoundRobin, keys, newPublisher } = limits();
    const publisherId = await newPublisher('Defaults');
    const { secretKey } = await keys.IssueKey({ publisherId, scopes: ['videos:write'] });
    expect(await sendRoundRobin(secretKey, submission)).to.include({ status: 202, minute: '59', daily: '499' });
  });

  it('a raised or lowered limit applies from the next request on every gateway', async () => {
    const { sendRoundRobin, freshKey, keys } = limits();
    const { key, secretKey } = await freshKey({ minuteLimit: 2, dailyLimit: 1 });
    const set = (minuteLimit: number, dailyLimit: number) => keys.SetLimits({ keyId: key.id, minuteLimit, dailyLimit });
    let [minute, day] = [0, 0];
    for (const [minuteLimit, dailyLimit] of [
      [4, 2],
      [3, 1],
      [9, 9],
      [5, 4],
      [20, 5],
      [20, 2],
      [20, 12],
    ] as const) {
      await set(minuteLimit, dailyLimit);
      for (let n = 0; n < 3; n++) {
        const answer = await sendRoundRobin(secretKey, submission);
        const admitted = minute < minuteLimit;
        if (admitted) minute += 1;
        const accepted = admitted && day < dailyLimit;
        if (accepted) day += 1;
        const status = accepted ? 202 : 429;
        const code = admitted ? 'daily_ingest_limit' : 'rate_limited';
        expect(answer).to.deep.include({
          status,
          code: accepted ? undefined : code,
          minute: String(Math.max(0, minuteLimit - minute)),
          daily: admitted ? String(Math.max(0, dailyLimit - day)) : undefined,
        });
      }
    }
    expect([minute, day]).to.deep.equal([15, 8]);
  });

  it('limits are counted by the databases’ clocks, so leaps of the hosts’ clocks change nothing', async () => {
    const { sendRoundRobin, freshKey, skewHostClocks, charges } = limits();
    const { key, secretKey } = await freshKey({ minuteLimit: 40, dailyLimit: 7 });
    let sent = 0;
    for (let leap = 0; leap < 3; leap++) {
      for (let n = 0; n < 3; n++) {
        const accepted = sent < 7;
        const daily = String(Math.max(0, 6 - sent));
        const answer = await sendRoundRobin(secretKey, submission);
        sent += 1;
        expect(answer).to.include({ status: accepted ? 202 : 429, minute: String(40 - sent), daily });
        if (!accepted) expect(answer.retryAfter).to.equal(String(12 * 3_600)); // catalog's clock is at noon
      }
      skewHostClocks();
    }
    expect(await charges(key.id)).to.deep.equal({ used: 7, videos: 7 });
  });
});
