import { expect } from 'chai';
import { setImmediate } from 'node:timers/promises';
import { createOccupancy } from '../../src/work/occupancy.ts';

describe('who may run in a process', () => {
  const never = new AbortController().signal;

  it('one that wants to be alone waits until all have left, and keeps others out meanwhile', async () => {
    const occupancy = createOccupancy();
    const log: string[] = [];
    const [first, second] = [await occupancy.enter(), await occupancy.enter()];
    const alone = occupancy.enterQuarantine(never).then((leave) => {
      log.push('alone');
      return leave;
    });
    const late = occupancy.enter().then((leave) => {
      log.push('late');
      return leave;
    });
    first();
    first();
    await setImmediate();
    expect(log).to.deep.equal([]);
    second();
    const leaveQuarantine = await alone;
    await setImmediate();
    expect(log).to.deep.equal(['alone']);
    leaveQuarantine?.();
    (await late)();
    expect(log).to.deep.equal(['alone', 'late']);
  });

  it('one that gives up waiting to be alone lets the others in', async () => {
    const occupancy = createOccupancy();
    const leave = await occupancy.enter();
    const abort = new AbortController();
    const alone = occupancy.enterQuarantine(abort.signal);
    const late = occupancy.enter();
    abort.abort();
    expect(await alone).to.equal(undefined);
    (await late)();
    leave();
    expect(await occupancy.enterQuarantine(never)).to.be.a('function');
  });
});
