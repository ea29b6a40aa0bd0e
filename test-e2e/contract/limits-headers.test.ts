/** The limits' headers, correct on every response, and settings that apply from the next request on (spec §8). */
import { expect } from 'chai';
import { nobodysVideo, submission, type Asked, type Question } from '../probes/timed-request.ts';
import { useLimitsStack } from '../harness/host/limits-stack.ts';

const bad: Question = { ...submission, body: { title: 'without an address' } };

/** Requests after the first video of a key with 12 requests a minute and 2 videos a day, and their responses. */
function restOf(path: string): readonly [Question, Partial<Asked>][] {
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
    [nobodysVideo, { status: 404, code: 'not_found', daily: undefined }],
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
    [nobodysVideo, { status: 429, code: 'rate_limited', daily: undefined }],
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
  const seen = ({ status, code, minute, daily }: Asked) => ({ status, code, minute, daily });

  it('count the minute down by one with every answer of any status, on any gateway, and the day with a 202 alone', async () => {
    const { turnAbout, freshKey } = limits();
    const { secretKey } = await freshKey({ minuteLimit: 12, dailyLimit: 2 });
    const first = await turnAbout(secretKey, submission);
    const path = `/v1/videos/${first.id}`;
    expect(seen(first)).to.deep.equal({ status: 202, code: undefined, minute: '11', daily: '1' });
    for (const [n, [question, expected]] of restOf(path).entries()) {
      const answer = await turnAbout(secretKey, question);
      const minute = String(Math.max(0, 10 - n));
      expect(seen(answer), `${n}: ${question.method} ${question.path}`).to.deep.equal({
        code: undefined,
        ...expected,
        minute,
      });
      if (answer.status === 429) expect(answer.retryAfter).to.match(/^[1-9]\d*$/);
      else expect(answer.retryAfter).to.equal(undefined);
    }
  });

  it('are there on a 403, which takes a place of the minute, without the day', async () => {
    const { turnAbout, freshKey } = limits();
    const { secretKey } = await freshKey({ scopes: ['videos:read'], minuteLimit: 3 });
    for (const minute of ['2', '1', '0']) {
      const answer = await turnAbout(secretKey, submission);
      expect(seen(answer)).to.deep.equal({ status: 403, code: 'insufficient_scope', minute, daily: undefined });
    }
    expect((await turnAbout(secretKey, submission)).code).to.equal('rate_limited');
  });

  it('are absent on a 401, and on what needs no key', async () => {
    const { turnAbout, freshKey } = limits();
    const { secretKey } = await freshKey({ minuteLimit: 1 });
    const wrong = secretKey.slice(0, -1) + (secretKey.endsWith('a') ? 'b' : 'a');
    for (const key of [undefined, wrong, wrong, 'svc_live_nonsense']) {
      const answer = await turnAbout(key, submission);
      expect([answer.status, answer.minute, answer.daily, answer.retryAfter]).to.deep.equal([
        401,
        undefined,
        undefined,
        undefined,
      ]);
    }
    expect((await turnAbout(secretKey, { method: 'GET', path: '/nowhere' })).minute).to.equal(undefined);
    expect(await turnAbout(secretKey, nobodysVideo)).to.include({ status: 404, minute: '0' });
  });
});

describe('the limits of a key', function () {
  this.timeout(120_000);
  const limits = useLimitsStack();

  it('are 60 a minute and 500 a day where the operator gave no others', async () => {
    const { turnAbout, keys, newPublisher } = limits();
    const publisherId = await newPublisher('Defaults');
    const { secretKey } = await keys.IssueKey({ publisherId, scopes: ['videos:write'] });
    expect(await turnAbout(secretKey, submission)).to.include({ status: 202, minute: '59', daily: '499' });
  });

  it('hold from the very next request on every gateway, raised and lowered while the key is in use', async () => {
    const { turnAbout, freshKey, keys } = limits();
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
        const answer = await turnAbout(secretKey, submission);
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

  it('are counted by the databases’ clocks: leaps of the hosts’ clocks change nothing', async () => {
    const { turnAbout, freshKey, leapHostClocks, spent } = limits();
    const { key, secretKey } = await freshKey({ minuteLimit: 40, dailyLimit: 7 });
    let asked = 0;
    for (let leap = 0; leap < 3; leap++) {
      for (let n = 0; n < 3; n++) {
        const accepted = asked < 7;
        const daily = String(Math.max(0, 6 - asked));
        const answer = await turnAbout(secretKey, submission);
        asked += 1;
        expect(answer).to.include({ status: accepted ? 202 : 429, minute: String(40 - asked), daily });
        if (!accepted) expect(answer.retryAfter).to.equal(String(12 * 3_600)); // catalog's clock is at noon
      }
      leapHostClocks();
    }
    expect(await spent(key.id)).to.deep.equal({ used: 7, videos: 7 });
  });
});
