/** Some faults with a fixed seed; `npm run test:chaos` takes any time and seed. */
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { readServers } from '@vds/testkit/servers/servers-file';
import { status } from '@vds/testkit/servers/up';
import { targetKind } from '../harness/target-kind.ts';
import { reportOf } from './report.ts';
import { runChaos } from './run-chaos.ts';

/** It starts with most of the short kinds of faults, including both of JetStream's. */
const SEED = 490;

describe('a stack under faults of every kind', () => {
  it('a stack under faults loses nothing, fails nothing and leaves nothing behind', async function () {
    this.timeout(900_000);
    const reason = 'needs processes and servers of this host that it may kill';
    if (targetKind() !== 'host') skipBecause(this, reason);
    const servers = readServers();
    if (Object.values(status(servers.nats.dir)).includes(null)) skipBecause(this, reason);
    const result = await runChaos({ seed: SEED, minutes: 0.4, servers });
    console.log(reportOf(result, SEED));
    expect(result.violations).to.deep.equal([]);
    // Otherwise it shows nothing of what partners and viewers see.
    expect(result.final.videos.map(({ status }) => status)).to.include('ready');
    expect(result.history.some((entry) => entry.kind === 'call' && entry.operation === 'watch')).to.equal(true);
  });
});
