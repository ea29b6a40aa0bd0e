import { setTimeout as sleep } from 'node:timers/promises';
import { openStaleCache, type CachedAnswer } from '@vds/chassis/cache/stale-cache';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';

type Thing = { readonly id: string; readonly version: number };
function thing(version: number): CachedAnswer<Thing> {
  return { value: { id: 't1', version }, ageMs: 0 };
}

describe('a memory of answers', () => {
  const open = (
    ask: (key: string) => Promise<CachedAnswer<Thing>>,
    times: Partial<Record<'freshMs' | 'staleMs' | 'patienceMs', number>> = {},
  ) => {
    const looks: string[] = [];
    const causes: unknown[] = [];
    const memory = openStaleCache<Thing>({
      ask,
      versionOf: (value) => value,
      limit: 10,
      freshMs: 0,
      staleMs: 60_000,
      patienceMs: 50,
      ...times,
      onLook: (outcome) => void looks.push(outcome),
      onStale: (cause) => void causes.push(cause),
    });
    return { ...memory, looks, causes };
  };
  /** Answers one question after the other; the last one for ever. */
  const script = (...answers: (() => Promise<CachedAnswer<Thing>>)[]) => {
    let asked = 0;
    const ask = async (): Promise<CachedAnswer<Thing>> => {
      const answer = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      if (!answer) throw new Error('nothing is scripted');
      return answer();
    };
    return { ask, asked: () => asked };
  };
  const away = (): Promise<never> => Promise.reject(new Error('away'));
  const silent = (): Promise<never> => new Promise(() => {});

  it('asks each time where answers hold for no time at all', async () => {
    const { ask, asked } = script(async () => thing(1));
    const memory = open(ask);
    expect([await memory.find('k'), await memory.find('k')]).to.deep.equal([thing(1), thing(1)]);
    expect([asked(), memory.looks]).to.deep.equal([2, ['asked', 'asked']]);
  });

  it('gives the last answer with its age while there is no new one', async () => {
    const memory = open(script(async () => thing(1), away).ask);
    await memory.find('k');
    await sleep(20);
    const { value, ageMs } = await memory.find('k');
    expect(value).to.deep.equal({ id: 't1', version: 1 });
    expect(ageMs).to.be.at.least(15);
    expect(memory.causes).to.have.length(1);
  });

  it('does not wait for a silent one longer than its patience, but takes its answer when it comes', async () => {
    let answer = (_said: CachedAnswer<Thing>): void => {};
    const late = () => new Promise<CachedAnswer<Thing>>((resolve) => (answer = resolve));
    const memory = open(script(async () => thing(1), late).ask, { freshMs: 1 });
    await memory.find('k');
    await sleep(5);
    expect((await memory.find('k')).value?.version).to.equal(1);
    answer(thing(2));
    await until(async () => (await memory.find('k')).value?.version === 2, { what: 'the late answer' });
  });

  it('waits for a silent one as long as it takes where there is no last answer', async () => {
    const memory = open(script(silent).ask);
    const found = memory.find('k').then(() => 'found');
    expect(await Promise.race([found, sleep(200, 'waits')])).to.equal('waits');
  });

  it('gives no answer that has grown too old', async () => {
    const memory = open(script(async () => thing(1), away).ask, { staleMs: 30 });
    await memory.find('k');
    await sleep(40);
    const refused = await memory.find('k').catch((error: Error) => error.message);
    expect([refused, memory.looks.at(-1)]).to.deep.equal(['away', 'failed']);
  });

  it('counts the age that an answer had when it came', async () => {
    const memory = open(script(async () => ({ ...thing(1), ageMs: 50_000 }), away).ask);
    expect((await memory.find('k')).ageMs).to.be.at.least(50_000);
    const short = open(script(async () => ({ ...thing(1), ageMs: 50_000 }), away).ask, { staleMs: 40_000 });
    expect(await short.find('k').catch((error: Error) => error.message)).to.equal('what is remembered is too old');
  });

  it('does not believe an old answer that is older than a change it has heard of', async () => {
    const memory = open(script(async () => ({ ...thing(3), ageMs: 1_000 })).ask);
    memory.drop('t1', 4);
    const refused = await memory.find('k').catch((error: Error) => error.message);
    expect(refused).to.equal('what is remembered is older than the last change');
  });

  it('does not believe an old answer that is older than what it was told before', async () => {
    const told = [async () => thing(4), async () => ({ ...thing(3), ageMs: 1_000 })];
    const memory = open(script(...told).ask);
    await memory.find('k');
    expect((await memory.find('k')).value?.version).to.equal(4);
    await sleep(1_100);
    expect((await memory.find('k')).value?.version).to.equal(4);
  });

  it('keeps the younger of two answers of one version', async () => {
    const told = [async () => thing(1), async () => ({ ...thing(1), ageMs: 50_000 })];
    const memory = open(script(...told).ask);
    await memory.find('k');
    expect((await memory.find('k')).ageMs).to.be.below(50_000);
    expect(memory.looks).to.deep.equal(['asked', 'stale']);
  });

  it('keeps nothing under keys that nobody knows where answers hold for no time', async () => {
    const memory = open(
      script(
        async () => thing(1),
        async () => ({ value: undefined, ageMs: 0 }),
        away,
      ).ask,
    );
    await memory.find('k');
    expect((await memory.find('k')).value).to.equal(undefined);
    expect(await memory.find('k').catch((error: Error) => error.message)).to.equal('away');
  });
});
