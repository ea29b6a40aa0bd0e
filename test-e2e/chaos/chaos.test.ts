/** One minute of faults with a fixed seed; `npm run test:chaos` takes any time and seed. */
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { readServers } from '@vds/testkit/servers/servers-file';
import { targetKind } from '../harness/target-kind.ts';
import { reportOf } from './report.ts';
import { runChaos } from './run-chaos.ts';

const SEED = 7;

describe('a stack under faults of every kind', () => {
  it('loses nothing, fails nothing and leaves nothing behind', async function () {
    this.timeout(900_000);
    if (targetKind() !== 'host') skipBecause(this, 'needs processes and servers of this host that it may kill');
    const result = await runChaos({ seed: SEED, minutes: 1, servers: readServers() });
    console.log(reportOf(result, SEED));
    expect(result.violations).to.deep.equal([]);
  });
});
