/** No spelling, redirect, name, mix of answers or change of an answer leads a connection to an address that is not public. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { runs } from '@vds/testkit/counts';
import { skipBecause } from '@vds/testkit/skip';
import { internalAddresses, spelledHosts } from './address-list.ts';
import type { ProbeReport } from './probe.ts';

const execute = promisify(execFile);
const PROBE = fileURLToPath(new URL('probe.ts', import.meta.url));
/** The hosts that the probe's public names lead to. */
const DIALLED = ['2606:4700::45', '45.0.0.1'];

describe('hostile addresses of sources', function () {
  this.timeout(300_000);
  let report: ProbeReport;

  before(async function () {
    try {
      await execute('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']);
    } catch (error) {
      skipBecause(this, `a network namespace of its own: ${String(error).split('\n', 1)[0]}`);
    }
    const args = ['--net', process.execPath, PROBE, String(runs(1_000))];
    const { stdout } = await execute('unshare', args, { maxBuffer: 16_000_000 });
    report = JSON.parse(stdout) as ProbeReport;
    console.log(`      ${JSON.stringify(report.tries)}`);
    console.log(`      ${JSON.stringify(report.outcomes)}`);
  });

  it('sources at public addresses are opened, and redirects between them followed', () => {
    expect(report.outcomes['control: 200']).to.equal(2);
    expect(Object.keys(report.arrived)).to.include.members(DIALLED);
  });

  it('no connection arrives at an address that is not public', () => {
    expect(internalAddresses.length).to.be.at.least(80);
    expect(spelledHosts.length).to.be.at.least(100);
    expect(Object.keys(report.arrived).sort()).to.deep.equal(DIALLED);
  });

  it('each address is refused for what it is', () => {
    const ways = Object.keys(report.tries).filter((way) => way !== 'control' && way !== 'rebinding');
    for (const way of ways) expect(report.outcomes, way).not.to.have.property(`${way}: 200`);
    for (const way of ['DNS', 'alias', 'mixed', 'redirect to a name'])
      expect(report.outcomes[`${way}: address_blocked`], way).to.equal(report.tries[way]);
  });
});
