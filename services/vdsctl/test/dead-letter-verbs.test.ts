import { expect } from 'chai';
import { startStageServers } from './stage-servers.ts';
import { vdsctl } from '../src/inbound/vdsctl.ts';

describe('vdsctl dead-letters', function () {
  this.timeout(20_000);
  let servers: Awaited<ReturnType<typeof startStageServers>>;
  before(async () => {
    servers = await startStageServers();
  });
  after(async () => await servers.close());
  beforeEach(() => void servers.requests.splice(0));

  const ctl = async (line: string) => {
    const written = { out: '', err: '' };
    const exit = await vdsctl(line.split(' '), {
      environment: servers.environment,
      out: (text) => void (written.out += `${text}\n`),
      err: (text) => void (written.err += `${text}\n`),
    });
    return { exit, ...written };
  };
  const replayed = () => servers.requests.map(({ request }) => (request as { sequence: number }).sequence);

  it('list prints the dead letters of every service, or those that the options select', async () => {
    const all = await ctl('dead-letters list');
    expect(all.exit, all.err).to.equal(0);
    for (const service of ['catalog', 'ingest', 'transcode', 'captions', 'metadata', 'indexer'])
      expect(all.out).to.match(
        new RegExp(`^${service}/1 +2030-01-01T00:00:01Z +catalog.fetch.requested.v1\n +cannot use it$`, 'm'),
      );
    const selected = await ctl('dead-letters list --service ingest --subject catalog.purge.requested.v1 --json');
    const { dead_letters: letters } = JSON.parse(selected.out) as { dead_letters: { service: string }[] };
    expect(letters).to.have.length(1);
    expect(letters[0]).to.include({ service: 'ingest', sequence: 7, message_id: 'id-7' });
    expect((await ctl('dead-letters list --limit 3')).out).to.include('There are more');
  });

  it('show prints the payload', async () => {
    const { exit, out } = await ctl('dead-letters show captions/7');
    expect(exit).to.equal(0);
    expect(out)
      .to.match(/^message id +id-7$/m)
      .and.include('"videoId": "v1"');
    expect(await ctl('dead-letters show captions/8')).to.include({ exit: 3 });
  });

  it('replay has one dead letter handled again, with actor and reason', async () => {
    const { exit, out } = await ctl('dead-letters replay catalog/1 --reason mended');
    expect({ exit, out }).to.deep.equal({ exit: 0, out: '1 replayed\n' });
    expect(servers.requests).to.deep.equal([
      { method: 'ReplayDeadLetter', request: { sequence: 1, actor: 'sam', reason: 'mended' } },
    ]);
    const failed = await ctl('dead-letters replay catalog/7 --reason mended');
    expect(failed).to.include({ exit: 1 });
    expect(failed.err).to.include('the message fails again: no');
  });

  it('replay --all continues after one that fails, and says which', async () => {
    const { exit, err } = await ctl('dead-letters replay --all --service indexer --reason mended');
    expect(exit).to.equal(1);
    expect(replayed()).to.deep.equal([1, 7]);
    expect(err).to.include('1 replayed, 1 failed').and.include('indexer/7');
  });

  it('replay --all replays every dead letter, however many there are', async () => {
    const sequences = Array.from({ length: 450 }, (_, n) => n + 1_000);
    servers.setDeadLetters(sequences);
    const { exit, out, err } = await ctl('dead-letters replay --all --service indexer --reason mended');
    servers.setDeadLetters();
    expect({ exit, out }, err).to.deep.equal({ exit: 0, out: '450 replayed\n' });
    expect(replayed()).to.deep.equal(sequences);
  });

  it('a dry run names what it would replay and replays nothing', async () => {
    const { out } = await ctl('dead-letters replay --all --service indexer --dry-run --reason x');
    expect(out).to.equal('would replay indexer/1 indexer/7\n');
    expect(servers.requests).to.deep.equal([]);
  });

  it('wrong usage exits with 2', async () => {
    for (const line of [
      'dead-letters',
      'dead-letters replay --reason x',
      'dead-letters replay catalog/1 --all --reason x',
      'dead-letters replay catalog/1',
      'dead-letters show 17',
      'dead-letters show gateway/1',
      'dead-letters list --service gateway',
    ])
      expect(await ctl(line), line).to.include({ exit: 2, out: '' });
  });
});
