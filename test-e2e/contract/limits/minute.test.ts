/**
 * The exact sliding minute of a key, over three gateways and three auths in real time (spec §8). `npm test` shortens
 * the window by its setting; `npm run test:long` uses the contract's 60 s.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { send, checkRetryAfter, unknownVideo, type TimedResponse } from '../../probes/timed-request.ts';
import { openContractStack, type ContractStack, type IssuedKey } from '../../harness/host/contract-stack.ts';
import { decisionsOf, checkWindows, logDecisions } from '../../probes/decision-log.ts';

const long = process.env['VDS_LONG'] === '1';
const WINDOW_MS = long ? 60_000 : 3_000;
const [CLIENTS, LIMIT, WINDOWS] = [8, 60, long ? 3 : 2];
/** Limit of the keys that wait. */
const ADMITTED = 3;

describe('the minute of a key over three gateways', function () {
  this.timeout(long ? 600_000 : 120_000);

  let contract: ContractStack;
  before(async () => {
    contract = await openContractStack({
      suffix: 'minute',
      env: {
        auth: { TIME_SCALE: `window=${WINDOW_MS}ms` },
        // No second attempts on a small machine: every decision is counted here.
        gateway: { TIME_SCALE: 'peerTimeout=60s' },
      },
    });
    await logDecisions(contract.stack.adminPool('auth'));
  });
  after(async () => contract?.close());

  const newKey = async (minuteLimit: number): Promise<IssuedKey> =>
    contract.newKey(await contract.newPublisher('Minute'), { minuteLimit });
  const get = (secretKey: string, gateway: number): Promise<TimedResponse> =>
    send(contract.gateways[gateway % contract.gateways.length] ?? '', secretKey, unknownVideo);

  /** Eight clients that send requests continuously, each through its own gateway, for `WINDOWS` windows. */
  const sendContinuously = async (secretKey: string): Promise<TimedResponse[]> => {
    const responses: TimedResponse[] = [];
    const until = performance.now() + WINDOWS * WINDOW_MS;
    const client = async (n: number): Promise<void> => {
      while (performance.now() < until) {
        responses.push(await get(secretKey, n));
        await sleep(10 + 3 * n);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
    return responses;
  };

  it(`a key of ${CLIENTS} clients gets at most ${LIMIT} requests in any of ${WINDOWS} windows, and ${LIMIT} whenever more are sent`, async () => {
    const { key, secretKey } = await newKey(LIMIT);
    const responses = await sendContinuously(secretKey);
    expect(responses.filter(({ status, code }) => status !== 404 && code !== 'rate_limited')).to.deep.equal([]);

    // By the database's own timestamps: every decision follows from the definition.
    const decisions = await decisionsOf(contract.stack.adminPool('auth'), key.id);
    const checked = checkWindows(decisions, LIMIT, WINDOW_MS);
    expect(checked).to.include({ windows: responses.length, most: LIMIT, wrong: 0 });
    expect(checked.full).to.equal(responses.filter(({ status }) => status === 429).length);
    expect(checked.full).to.be.above(0);
    expect(checked.admitted).to.equal(responses.filter(({ status }) => status === 404).length);

    // Only by the partner's clock. A decision falls between a request's start and end, so requests that all started at
    // or after t and all ended before t + window were decided within one window, whatever the database's clock.
    const admitted = responses.filter(({ status }) => status === 404);
    const certain = admitted.map(
      ({ from: t }) => admitted.filter(({ from, to }) => from >= t && to < t + WINDOW_MS).length,
    );
    expect(Math.max(...certain)).to.be.at.most(LIMIT);
    console.log(
      `      ${responses.length} responses, ${checked.admitted} admitted in ${WINDOWS} windows of ${WINDOW_MS / 1_000} s; ` +
        `${checked.windows} windows checked, most ${checked.most}, ${checked.full} full ones with more offered; ` +
        `by the partner's clock ${certain.length} windows, most ${Math.max(...certain)}`,
    );
  });

  /** Fills a key with gaps between its admitted requests, and returns the rejection that follows. */
  const fill = async (secretKey: string, n: number): Promise<TimedResponse> => {
    for (let sent = 0; ; sent++) {
      const answer = await get(secretKey, n + sent);
      if (answer.status === 404) {
        await sleep((WINDOW_MS / 80) * (n + 1) * (sent < ADMITTED ? 1 : 0));
        continue;
      }
      expect(answer).to.include({ status: 429, code: 'rate_limited', minute: '0' });
      expect(answer.retryAfter).to.match(/^[1-9]\d*$/);
      return answer;
    }
  };
  /** Sends requests continuously until one passes. */
  const retryAtOnce = async (n: number) => {
    const { key, secretKey } = await newKey(ADMITTED);
    const rejection = await fill(secretKey, n);
    const tries: TimedResponse[] = [];
    do {
      await sleep(60);
      tries.push(await get(secretKey, tries.length));
    } while (tries.at(-1)?.status === 429);
    return { key, rejection, tries };
  };
  /** Retries after `retry-after`. */
  const retryInTime = async (n: number) => {
    const { secretKey } = await newKey(ADMITTED);
    const rejection = await fill(secretKey, n);
    const back = rejection.to + Number(rejection.retryAfter) * 1_000;
    while (performance.now() < back) await sleep(Math.max(1, back - performance.now())); // a timer may be early
    return { rejection, tries: [await get(secretKey, n + 1)] };
  };

  it('retry-after of the minute names the second at which a request passes, and none passes a second earlier', async () => {
    const all = Array.from({ length: 6 }, (_, n) => n);
    const [atOnce, inTime] = await Promise.all([Promise.all(all.map(retryAtOnce)), Promise.all(all.map(retryInTime))]);
    const early = atOnce.map(checkRetryAfter);
    const late = inTime.map(checkRetryAfter);
    expect(early.map(({ earlyPassed }) => earlyPassed)).to.deep.equal(all.map(() => 0));
    expect(early.reduce((sum, one) => sum + one.early, 0)).to.be.above(0);
    expect(late.map(({ late: count, lateRejected }) => [count, lateRejected])).to.deep.equal(all.map(() => [1, 0]));

    // And to the microsecond, by the database's own timestamps.
    for (const { key, rejection } of atOnce) {
      const decisions = await decisionsOf(contract.stack.adminPool('auth'), key.id);
      const at = decisions.findIndex(({ admitted }) => !admitted);
      const free = (decisions[at - ADMITTED]?.at ?? 0) + WINDOW_MS * 1_000;
      expect(Number(rejection.retryAfter)).to.equal(
        Math.max(1, Math.ceil((free - (decisions[at]?.at ?? 0)) / 1_000_000)),
      );
      const next = decisions.slice(at).find(({ admitted }) => admitted);
      expect(next?.at).to.be.at.least(free);
    }
    console.log(
      `      retry-after ${[...atOnce, ...inTime].map(({ rejection }) => rejection.retryAfter).join(' ')} s: ` +
        `${early.reduce((sum, one) => sum + one.early, 0)} tries a second early or more, none passed; ${late.length} in time, all passed`,
    );
  });
});
