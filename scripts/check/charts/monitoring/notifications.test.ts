/** Long nights, in which several alerts fire for one cause: how often Alertmanager wakes whom with the example of the runbooks. */
import { expect } from 'chai';
import { goProgram, installGoProgram } from '@vds/testkit/programs/go-programs';
import { promtool } from '@vds/testkit/programs/prometheus';
import { skipBecause } from '@vds/testkit/skip';
import { counter, type Night } from './night-series.ts';
import { firedIn, timesOf } from './nights.ts';
import { notificationsOf } from './notifications.ts';

const root = new URL('../../../../', import.meta.url).pathname;
const FROM = 60;

describe('the example for Alertmanager', function () {
  this.timeout(120_000);
  let [tool, program] = ['', ''];
  before(async function () {
    this.timeout(900_000);
    tool = (await promtool()) ?? skipBecause(this, 'there is no promtool');
    program = goProgram('alertmanager') ?? (await installGoProgram('alertmanager'));
  });

  /** How many pages fired, and whom Alertmanager told of what. */
  const told = async (night: Night) => {
    const fired = await firedIn(root, tool, night);
    return { fired: Object.keys(timesOf(fired, 'page')).length, sent: await notificationsOf(root, program, fired) };
  };

  it('a night in which PostgreSQL is away for half an hour wakes somebody once, for the requests that fail', async () => {
    const { fired, sent } = await told({ hours: 2, away: { postgres: [FROM, FROM + 30] } });
    expect(fired).to.be.above(1);
    expect(sent.pages).to.deep.equal(['VdsApiErrorBudgetBurn']);
  });
  it('a night in which auth is down wakes somebody once', async () => {
    const { fired, sent } = await told({ hours: 2, away: { auth: [FROM, FROM + 30] } });
    expect(fired).to.be.above(1);
    expect(sent.pages).to.deep.equal(['VdsApiErrorBudgetBurn']);
  });
  it('a night in which NATS is away for two hours wakes somebody once, for the fetches that stand still', async () => {
    const nothing = counter((minute) => (minute < FROM ? 30e6 : 0));
    const night: Night = { hours: 3, away: { nats: [FROM, 180] }, changes: [[/ingest_bytes_fetched/, nothing]] };
    const { fired, sent } = await told(night);
    expect(fired).to.be.above(1);
    expect(sent.pages).to.deep.equal(['VdsFetchUnclaimed']);
  });
});
