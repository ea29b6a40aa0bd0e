/**
 * The exact sliding minute of a key, over three gateways and three auths in real time (spec §8). `npm test` shortens
 * the window by its setting; `npm run test:long` uses the contract's 60 s.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ask, judgeWait, nobodysVideo, type Asked } from '../probes/timed-request.ts';
import { openContractStack, type ContractStack, type IssuedKey } from '../harness/host/contract-stack.ts';
import { decisionsOf, judgeWindows, noteDecisions } from '../probes/decision-log.ts';

const long = process.env['VDS_LONG'] === '1';
const WINDOW_MS = long ? 60_000 : 5_000;
const [CLIENTS, LIMIT, WINDOWS] = [8, 60, 3];
/** Limit of the keys that wait. */
const places = 3;

describe('the minute of a key over three gateways', function () {
  this.timeout(long ? 600_000 : 120_000);

  let contract: ContractStack;
  before(async () => {
    contract = await openContractStack({ suffix: 'minute', env: { auth: { MINUTE_WINDOW: `${WINDOW_MS}ms` } } });
    await noteDecisions(contract.stack.adminPool('auth'));
  });
  after(async () => contract?.close());

  const newKey = async (minuteLimit: number): Promise<IssuedKey> =>
    contract.newKey(await contract.newPublisher('Minute'), { minuteLimit });
  const get = (secretKey: string, gateway: number): Promise<Asked> =>
    ask(contract.gateways[gateway % contract.gateways.length] ?? '', secretKey, nobodysVideo);

  /** Eight clients that send requests continuously, each through its own gateway, for `WINDOWS` windows. */
  const storm = async (secretKey: string): Promise<Asked[]> => {
    const asked: Asked[] = [];
    const until = performance.now() + WINDOWS * WINDOW_MS;
    const client = async (n: number): Promise<void> => {
      while (performance.now() < until) {
        asked.push(await get(secretKey, n));
        await sleep(10 + 3 * n);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
    return asked;
  };

  it(`admits never more than ${LIMIT} in any window, and ${LIMIT} whenever more were offered: ${CLIENTS} clients, ${WINDOWS} windows`, async () => {
    const { key, secretKey } = await newKey(LIMIT);
    const asked = await storm(secretKey);
    expect(asked.filter(({ status, code }) => status !== 404 && code !== 'rate_limited')).to.deep.equal([]);

    // By the database's own timestamps: every decision follows from the definition.
    const decisions = await decisionsOf(contract.stack.adminPool('auth'), key.id);
    const judged = judgeWindows(decisions, LIMIT, WINDOW_MS);
    expect(judged).to.include({ windows: asked.length, most: LIMIT, wrong: 0 });
    expect(judged.full).to.equal(asked.filter(({ status }) => status === 429).length);
    expect(judged.full).to.be.above(0);
    expect(judged.admitted).to.equal(asked.filter(({ status }) => status === 404).length);

    // By the partner's clock alone. A decision falls between a request's begin and end, so requests that all began at
    // or after t and all ended before t + window were decided within one window, whatever the database believes.
    const admitted = asked.filter(({ status }) => status === 404);
    const certain = admitted.map(
      ({ from: t }) => admitted.filter(({ from, to }) => from >= t && to < t + WINDOW_MS).length,
    );
    expect(Math.max(...certain)).to.be.at.most(LIMIT);
    console.log(
      `      ${asked.length} asked, ${judged.admitted} admitted in ${WINDOWS} windows of ${WINDOW_MS / 1_000} s; ` +
        `${judged.windows} windows checked, most ${judged.most}, ${judged.full} full ones with more offered; ` +
        `by the partner's clock ${certain.length} windows, most ${Math.max(...certain)}`,
    );
  });

  /** Fills a key with gaps between its admitted requests, and returns the rejection that follows. */
  const fill = async (secretKey: string, n: number): Promise<Asked> => {
    for (let asked = 0; ; asked++) {
      const answer = await get(secretKey, n + asked);
      if (answer.status === 404) {
        await sleep((WINDOW_MS / 80) * (n + 1) * (asked < places ? 1 : 0));
        continue;
      }
      expect(answer).to.include({ status: 429, code: 'rate_limited', minute: '0' });
      expect(answer.retryAfter).to.match(/^[1-9]\d*$/);
      return answer;
    }
  };
  /** Sends requests continuously until one passes. */
  const impatient = async (n: number) => {
    const { key, secretKey } = await newKey(places);
    const refusal = await fill(secretKey, n);
    const tries: Asked[] = [];
    do {
      await sleep(60);
      tries.push(await get(secretKey, tries.length));
    } while (tries.at(-1)?.status === 429);
    return { key, refusal, tries };
  };
  /** Retries after `retry-after`. */
  const patient = async (n: number) => {
    const { secretKey } = await newKey(places);
    const refusal = await fill(secretKey, n);
    const back = refusal.to + Number(refusal.retryAfter) * 1_000;
    while (performance.now() < back) await sleep(Math.max(1, back - performance.now())); // a timer may be early
    return { refusal, tries: [await get(secretKey, n + 1)] };
  };

  it('says in retry-after the second at which a request passes; one a second earlier does not', async () => {
    const all = Array.from({ length: 6 }, (_, n) => n);
    const [hasty, calm] = await Promise.all([Promise.all(all.map(impatient)), Promise.all(all.map(patient))]);
    const early = hasty.map(judgeWait);
    const late = calm.map(judgeWait);
    expect(early.map(({ earlyPassed }) => earlyPassed)).to.deep.equal(all.map(() => 0));
    expect(early.reduce((sum, one) => sum + one.early, 0)).to.be.above(0);
    expect(late.map(({ late: count, lateRefused }) => [count, lateRefused])).to.deep.equal(all.map(() => [1, 0]));

    // And to the microsecond, by the database's own timestamps.
    for (const { key, refusal } of hasty) {
      const decisions = await decisionsOf(contract.stack.adminPool('auth'), key.id);
      const at = decisions.findIndex(({ admitted }) => !admitted);
      const free = (decisions[at - places]?.at ?? 0) + WINDOW_MS * 1_000;
      expect(Number(refusal.retryAfter)).to.equal(
        Math.max(1, Math.ceil((free - (decisions[at]?.at ?? 0)) / 1_000_000)),
      );
      const next = decisions.slice(at).find(({ admitted }) => admitted);
      expect(next?.at).to.be.at.least(free);
    }
    console.log(
      `      retry-after ${[...hasty, ...calm].map(({ refusal }) => refusal.retryAfter).join(' ')} s: ` +
        `${early.reduce((sum, one) => sum + one.early, 0)} tries a second early or more, none passed; ${late.length} in time, all passed`,
    );
  });
});
