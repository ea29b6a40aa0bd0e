import { expect } from 'chai';
import { setImmediate } from 'node:timers/promises';
import { createOccupancy } from '../../src/work/occupancy.ts';

describe('who may run in a process', () => {
  const never = new AbortController().signal;

  it('a job that must run alone waits until all have left, and keeps others out in the meantime', async () => {
    const occupancy = createOccupancy();
    const log: string[] = [];
    const [first, second] = [await occupancy.acquireShared(), await occupancy.acquireShared()];
    const alone = occupancy.acquireExclusive(never).then((release) => {
      log.push('alone');
      return release;
    });
    const late = occupancy.acquireShared().then((release) => {
      log.push('late');
      return release;
    });
    first();
    first();
    await setImmediate();
    expect(log).to.deep.equal([]);
    second();
    const releaseExclusive = await alone;
    await setImmediate();
    expect(log).to.deep.equal(['alone']);
    releaseExclusive?.();
    (await late)();
    expect(log).to.deep.equal(['alone', 'late']);
  });

  it('a job that gives up waiting to run alone lets the others in', async () => {
    const occupancy = createOccupancy();
    const leave = await occupancy.acquireShared();
    const abort = new AbortController();
    const alone = occupancy.acquireExclusive(abort.signal);
    const late = occupancy.acquireShared();
    abort.abort();
    expect(await alone).to.equal(undefined);
    (await late)();
    leave();
    expect(await occupancy.acquireExclusive(never)).to.be.a('function');
  });
});
