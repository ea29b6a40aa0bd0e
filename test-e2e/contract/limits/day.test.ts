/**
 * The day of the ingest budget: it ends at 00:00 UTC by the clock of catalog's database, and `retry-after` gives the
 * time.
 */
import { expect } from 'chai';
import { send, checkRetryAfter, submission, type TimedResponse } from '../../probes/timed-request.ts';
import { NOON, useLimitsStack } from '../../harness/host/limits-stack.ts';

const MICRO = 1_000_000;
const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'];

/** The moment `micros` microseconds after 00:00 UTC of a day in March 2031. */
function moment(day: number, micros: number): string {
  const seconds = Math.floor(micros / MICRO);
  const time = new Date(Date.UTC(2031, 2, day) + seconds * 1_000).toISOString().slice(0, 19);
  return `${time}.${String(micros - seconds * MICRO).padStart(6, '0')}Z`;
}
const DAY = 86_400 * MICRO;
/** Microseconds into the day: its first and last moments, and some between, such as other zones' midnights. */
const moments = [0, 1, 10 * 3_600 * MICRO - 1, 10 * 3_600 * MICRO, 11 * 3_600 * MICRO, 45_296_123_456, DAY - 2 * MICRO,
  DAY - 1_000_001, DAY - MICRO, DAY - 999_999, DAY - 1]; // prettier-ignore

describe('the day of the ingest budget', function () {
  this.timeout(300_000);
  const limits = useLimitsStack();
  after(async () => {
    await limits().clock.freeze(NOON);
    await limits().clock.zone('UTC');
  });

  for (const zone of zones) {
    it(`the ingest budget resets at 00:00 UTC, the second named by retry-after, with sessions in ${zone}`, async () => {
      const { clock, freshKey, sendRoundRobin } = limits();
      await clock.zone(zone);
      for (const [n, at] of moments.entries()) {
        const { secretKey } = await freshKey({ dailyLimit: 1 });
        const on = async (micros: number): Promise<TimedResponse> => {
          await clock.freeze(moment(n + 1, micros));
          return sendRoundRobin(secretKey, submission);
        };
        expect((await on(at)).status, moment(n + 1, at)).to.equal(202);
        const seconds = Math.max(1, Math.ceil((DAY - at) / MICRO));
        expect(await on(at)).to.include({ code: 'daily_ingest_limit', retryAfter: String(seconds), daily: '0' });
        expect((await on(at + (seconds - 1) * MICRO)).status, `a second before ${seconds}`).to.equal(429);
        expect(await on(at + seconds * MICRO), `after ${seconds}`).to.include({ status: 202, daily: '0' });
        expect((await on(at + seconds * MICRO)).retryAfter).to.equal(
          String(Math.max(1, Math.ceil((2 * DAY - at) / MICRO) - seconds)),
        );
      }
    });
  }

  it('under load over midnight each day has its whole ingest budget, and retry-after is right', async () => {
    const { clock, freshKey, gateways, stack, charges } = limits();
    const { key, secretKey } = await freshKey({ dailyLimit: 5 });
    const responses: TimedResponse[] = [];
    const start = async (): Promise<void> => {
      await clock.goOnFrom('2031-06-30T23:59:57Z');
      await Promise.all(
        gateways.map(async (base) => {
          while (responses.filter(({ status }) => status === 202).length < 10)
            responses.push(await send(base, secretKey, submission));
        }),
      );
    };
    await start();
    expect(await charges(key.id)).to.deep.equal({ used: 10, videos: 10 });
    const { rows } = await stack
      .adminPool('catalog')
      .query('SELECT day::text, used FROM daily_counts WHERE budget_id = $1 ORDER BY day', [key.id]);
    expect(rows).to.deep.equal([
      { day: '2031-06-30', used: 5 },
      { day: '2031-07-01', used: 5 },
    ]);
    const rejection = responses.find(({ status }) => status === 429);
    expect(rejection).not.to.equal(undefined);
    if (!rejection) return;
    const tries = responses.filter(({ from }) => from >= rejection.to);
    const checked = checkRetryAfter({ rejection, tries });
    expect([checked.earlyPassed, rejection.daily]).to.deep.equal([0, '0']);
    expect(tries.every(({ status }) => status === 202 || status === 429)).to.equal(true);
    console.log(
      `      over midnight: ${responses.length} responses, retry-after ${rejection.retryAfter} s, ${checked.early} early tries, none passed`,
    );
  });
});
