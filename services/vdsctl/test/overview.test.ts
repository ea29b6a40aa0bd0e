/** `vdsctl` alone, and `--watch`. */
import { expect } from 'chai';
import { vdsctl } from '../src/inbound/vdsctl.ts';
import type { CliIo } from '../src/inbound/verb.ts';
import { KNOWN_VIDEO, startStageServers } from './stage-servers.ts';

describe('vdsctl alone, and --watch', function () {
  this.timeout(20_000);
  let servers: Awaited<ReturnType<typeof startStageServers>>;

  before(async () => {
    servers = await startStageServers();
  });
  after(() => servers.close());

  async function ctl(argv: readonly string[], io: Partial<CliIo> = {}) {
    const written: string[] = [];
    const exit = await vdsctl(argv, {
      environment: servers.environment,
      out: (text) => void written.push(text),
      err: (text) => void written.push(text),
      ...io,
    });
    return { exit, written };
  }

  it('vdsctl alone prints which services answer where, and the verbs that are needed most', async () => {
    const { exit, written } = await ctl([]);
    const [text = ''] = written;
    expect(exit).to.equal(0);
    expect(text)
      .to.match(/^Connected, as the environment says:\n/)
      .and.match(/^ingest +127\.0\.0\.1:\d+ +ok$/m)
      .and.match(/^indexer +127\.0\.0\.1:\d+ +ok$/m)
      .and.match(/^auth +– +VDSCTL_AUTH is not set$/m);
    expect([...text.matchAll(/^vdsctl (\w+ \w+)/gm)].map(([, verb]) => verb)).to.deep.equal([
      'video show',
      'video list',
      'jobs list',
      'publisher list',
      'key issue',
    ]);
    for (const line of text.split('\n')) expect(line.length, line).to.be.at.most(80);
    const json = JSON.parse((await ctl(['--json'])).written.join('')) as { connected: boolean };
    expect(json).to.include({ connected: true });
  });

  it('vdsctl alone says that it is not connected, and how it would be', async () => {
    const { exit, written } = await ctl([], { environment: {} });
    expect(exit).to.equal(0);
    expect(written.join(''))
      .to.match(/^Not connected: VDSCTL_TOKEN is not set/)
      .and.include('npm run vdsctl -- --env .vds/dev/stack/vdsctl.env')
      .and.include('exec -it deploy/')
      .and.include('vdsctl video show <id>');
    const unreachable = { ...servers.environment, VDSCTL_INGEST: '127.0.0.1:1', VDSCTL_TOKEN: 'wrong' };
    const wrong = (await ctl([], { environment: unreachable })).written.join('');
    expect(wrong)
      .to.match(/^Not connected: no service of the environment answers/)
      .and.match(/^ingest +127\.0\.0\.1:1 +ingest cannot be reached/m)
      .and.include('rejects the token');
  });

  it('--watch prints the jobs of a video again until none is left to wait for', async () => {
    servers.setJobStates(['ready', 'running', 'done']);
    const { exit, written } = await ctl(['jobs', 'show', KNOWN_VIDEO, '--watch'], { watchEveryMs: 1 });
    expect(exit).to.equal(0);
    const seen = written.map((text) => /ingest +encode\/piece-2 +(\w+)/.exec(text)?.[1]);
    expect(seen).to.deep.equal(['ready', 'running', 'done']);
    servers.setJobStates(['ready', 'done']);
    const onTerminal = await ctl(['jobs', 'show', KNOWN_VIDEO, '--watch'], { watchEveryMs: 1, isTerminal: true });
    expect(onTerminal.written).to.have.length(2);
    for (const text of onTerminal.written) expect(text.startsWith('\u001b[2J\u001b[HVIDEO')).to.equal(true);
  });

  it('the list of jobs names who holds a job, and what is in front of one that waits', async () => {
    servers.setJobStates(['running']);
    const now = () => new Date('2030-01-01T00:05:00.000Z');
    const running = (await ctl(['jobs', 'show', KNOWN_VIDEO], { now })).written.join('');
    expect(running).to.match(/encode\/piece-2 +running 40 % +1\n +held by worker-1 process 7 · claimed 4 min ago/);
    servers.setJobStates([]);
    const waiting = (await ctl(['jobs', 'show', KNOWN_VIDEO], { now })).written.join('');
    expect(waiting).to.match(/encode\/piece-2 +ready +1\n +behind 3 older jobs · waits for a missing object/);
  });
});
