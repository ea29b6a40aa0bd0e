/** Peers away, OpenSearch away, indexes gone, processes killed: nothing is lost, and nobody has to do anything. */
import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { until } from '@vds/testkit/until';
import { openDoor } from './door.ts';
import { openGround, openHouse, type House, type Replica } from './harness.ts';
import { clip, newId } from './videos.ts';

describe('what is away', function () {
  this.timeout(90_000);
  let house: House;
  let replica: Replica;
  let door: Awaited<ReturnType<typeof openDoor>>;

  before(async () => {
    door = await openDoor(openGround().url);
    house = await openHouse({ SWEEP_EVERY: '60s' }, door.url);
    replica = await house.start();
  });
  after(async () => {
    await house.close();
    await door.close();
  });

  const titles = async (): Promise<string[]> =>
    (await replica.apps.Feed({ limit: 50 })).items.map(({ title }) => title);
  const publish = async (title: string): Promise<string> => {
    const id = newId();
    await house.say(id, house.known.publish(clip(id, { title })));
    return id;
  };
  const shows = (title: string) =>
    until(async () => (await titles()).includes(title), { what: `${title} is shown`, capMs: 40_000 });
  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
      return 'OK';
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  };

  it('catalog and metadata: what changed meanwhile comes when they are back', async () => {
    await publish('before');
    await shows('before');
    await house.peersAway();
    await publish('meanwhile');
    await until(async () => /outcome="retried"[^}]*\} [3-9]/.test(await replica.metrics()), {
      what: 'it is tried again',
    });
    expect(await titles()).to.include('before');
    await house.peersBack();
    await shows('meanwhile');
  });

  it('OpenSearch: questions are UNAVAILABLE, changes wait, the process stays ready', async () => {
    await door.shut();
    await publish('during');
    for (const work of [replica.apps.Search({ query: 'a' }), replica.apps.Feed({}), replica.apps.Recommend({ videoIds: [newId()] })])
      expect(await codeOf(work)).to.equal('UNAVAILABLE'); // prettier-ignore
    expect((await replica.readyz()).status).to.equal(200);
    expect(await replica.metrics()).to.include('vds_indexer_lag_seconds');
    await door.reopen();
    await shows('during');
  });

  it('OpenSearch at boot: the process waits for it and is not ready before', async () => {
    await door.shut();
    const late = await house.start({ SWEEP_EVERY: '200ms' }, false);
    await until(async () => (await late.readyz()).status === 503, { what: 'it is up and not ready' });
    await door.reopen();
    await until(async () => (await late.readyz()).ok, { what: 'it is ready' });
    expect(await late.end()).to.equal(0);
  });

  it('the index: it is made anew and filled from the truth', async () => {
    const fast = await house.start({ SWEEP_EVERY: '200ms' });
    await house.ground.wipe();
    const wanted = ['before', 'meanwhile', 'during'];
    await until(async () => (await titles()).length === wanted.length, {
      what: 'all are back',
    });
    expect(await titles()).to.have.members(wanted);
    await house.ground.ask('POST', '/_aliases', { actions: [{ remove: { index: `${house.ground.prefix}videos-1`, alias: `${house.ground.prefix}videos` } }] }); // prettier-ignore
    await until(async () => (await titles()).length === 3, { what: 'the alias is back' });
    await fast.end();
  });

  it('the process, killed in the middle, and the whole store of NATS: all settle', async () => {
    const victim = await house.start({ SWEEP_EVERY: '300ms' });
    const made = Array.from({ length: 40 }, (_empty, at) => `killed ${at}`);
    const ids = await Promise.all(made.slice(0, 20).map(publish));
    await victim.end('SIGKILL');
    await house.nats.wipe();
    for (const [at, title] of made.slice(20).entries()) house.known.publish(clip(ids[at] ?? newId(), { title }));
    const heir = await house.start({ SWEEP_EVERY: '300ms' });
    await until(async () => (await heir.staff.GetIndexStatus({})).live === 23, { what: 'all are there' });
    const shown = (await heir.apps.Feed({ limit: 50 })).items.map(({ title }) => title);
    expect(shown).to.include.members(made.slice(20));
    await heir.end();
  });
});
