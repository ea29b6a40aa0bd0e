import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { until } from '@vds/testkit/until';
import { nextBacklog, type Backlog } from '../../src/bus/backlog.ts';
import { on } from '../../src/bus/bus.ts';
import { poisonMessages } from '../../src/bus/poison.ts';
import { AppError } from '../../src/errors.ts';
import { noteEvent, useBuses } from '../fixtures.ts';

function consumed(delivered: number, acknowledged: number, more: { pending?: number; unacknowledged?: number } = {}) {
  const at = (stream_seq: number) => ({ stream_seq });
  return {
    num_pending: more.pending ?? 0,
    num_ack_pending: more.unacknowledged ?? delivered - acknowledged,
    delivered: at(delivered),
    ack_floor: at(acknowledged),
  };
}

describe('the backlog of a consumer', () => {
  it('a consumer has caught up when nothing is left to deliver and everything is acknowledged', () => {
    expect(nextBacklog(undefined, consumed(7, 7)).caughtUp).to.equal(true);
    expect(nextBacklog(undefined, consumed(7, 6)).caughtUp).to.equal(false);
    expect(nextBacklog(undefined, consumed(7, 7, { pending: 1 })).caughtUp).to.equal(false);
  });

  it('a consumer of messages that keep coming has caught up when those of an earlier look are acknowledged', () => {
    const first = nextBacklog(undefined, consumed(10, 8));
    const second = nextBacklog(first, consumed(12, 9));
    expect([first.caughtUp, second.caughtUp]).to.deep.equal([false, false]);
    expect(nextBacklog(second, consumed(14, 10)).caughtUp).to.equal(true);
  });

  it('a message that is redelivered again and again keeps its consumer from having caught up, unless it is poison', () => {
    let backlog: Backlog | undefined;
    for (let seq = 10; seq < 50; seq++) {
      backlog = nextBacklog(backlog, consumed(seq, 9, { unacknowledged: 1 }));
      expect(backlog.caughtUp).to.equal(false);
    }
    expect(nextBacklog(backlog, consumed(50, 9, { unacknowledged: 1 }), 1).caughtUp).to.equal(true);
    expect(nextBacklog(backlog, consumed(50, 9, { unacknowledged: 2 }), 1).caughtUp).to.equal(false);
    expect(nextBacklog(backlog, consumed(50, 9, { unacknowledged: 1, pending: 1 }), 1).caughtUp).to.equal(false);
  });

  it('a consumer of a stream that was made anew catches up with it', () => {
    const before = nextBacklog(undefined, consumed(1_000, 990));
    const after = nextBacklog(before, consumed(3, 2));
    expect(after).to.deep.equal({ caughtUp: false, mark: 3 });
    expect(nextBacklog(after, consumed(5, 4)).caughtUp).to.equal(true);
  });

  it('a consumer never counts as caught up while a message that it received before the last look is unacknowledged', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(2)), { minLength: 2, maxLength: 30 }), (steps) => {
        let [delivered, acknowledged] = [0, 0];
        let backlog: Backlog | undefined;
        let seen = 0;
        for (const [more, done, pending] of steps) {
          delivered += more;
          acknowledged = Math.min(delivered, acknowledged + done);
          backlog = nextBacklog(backlog, consumed(delivered, acknowledged, { pending }));
          if (backlog.caughtUp) {
            expect(pending).to.equal(0);
            expect(acknowledged).to.be.at.least(Math.min(seen, delivered));
          }
          seen = backlog.mark ?? seen;
        }
      }),
      { numRuns: runs(300) },
    ));
});

describe('the backlog of a consumer with poison messages', () => {
  it('a consumer that has caught up has handled everything that it received before an earlier look, poison messages aside', () =>
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }),
        fc.array(fc.tuple(fc.nat(4), fc.array(fc.nat(29), { maxLength: 6 })), { minLength: 2, maxLength: 30 }),
        (isPoison, steps) => {
          const acknowledged = new Set<number>();
          let [delivered, seen] = [0, 0];
          let backlog: Backlog | undefined;
          for (const [more, handled] of steps) {
            delivered = Math.min(isPoison.length, delivered + more);
            for (const index of handled) if (index < delivered && !isPoison[index]) acknowledged.add(index + 1);
            const open = range(delivered).filter((sequence) => !acknowledged.has(sequence));
            const poison = open.filter((sequence) => isPoison[sequence - 1]).length;
            const floor = (open[0] ?? delivered + 1) - 1;
            const pending = isPoison.length - delivered;
            backlog = nextBacklog(
              backlog,
              consumed(delivered, floor, { pending, unacknowledged: open.length }),
              poison,
            );
            if (backlog.caughtUp)
              expect(open.filter((sequence) => sequence <= seen && !isPoison[sequence - 1])).to.deep.equal([]);
            if (open.length === poison && pending === 0) expect(backlog.caughtUp).to.equal(true);
            seen = backlog.mark ?? seen;
          }
        },
      ),
      { numRuns: runs(300) },
    ));

  it('a message is poison from its fourth defect on, until it is handled or other processes have taken it for minutes', () => {
    let now = 0;
    const poison = poisonMessages(() => now);
    const message = (streamSequence: number) => ({ info: { stream: 'ALPHA', streamSequence } });
    const counted = (after = 0, upTo = 100) => poison.count('ALPHA', { after, upTo });
    for (const defects of [0, 1, 2, 3]) poison.failed(message(5), defects);
    expect(counted()).to.equal(0);
    for (const sequence of [5, 6, 7, 8]) poison.failed(message(sequence), 4);
    expect(counted()).to.equal(4);
    expect(poison.count('BETA', { after: 0, upTo: 100 }), 'of another stream').to.equal(0);
    expect(counted(0, 6), 'of a stream made anew').to.equal(2);
    poison.forget(message(8));
    expect(counted()).to.equal(3);
    expect(counted(5), 'acknowledged by another process').to.equal(2);
    now = 119_000;
    poison.failed(message(7), 5);
    expect(counted()).to.equal(2);
    now = 121_000;
    expect(counted()).to.equal(1);
  });
});

function range(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

describe('the backlog of a service on a real stream', () => {
  const { fixture, open } = useBuses();

  it('a service has not caught up before it has handled what was published while it was away, nor while NATS is', async () => {
    const event = noteEvent();
    const { owner, nats } = fixture();
    const first = await open('beta');
    first.subscribe([on(event, async () => {})]);
    const isCaughtUp = (bus: typeof first) => {
      const backlog = bus.openBacklog(['alpha']);
      return async () => {
        await backlog.check();
        return backlog.caughtUp();
      };
    };
    await until(isCaughtUp(first), { what: 'an empty stream is caught up with' });
    await first.close();
    await owner.publish(event, { text: 'while it was away' }, 'm1');

    const second = await open('beta');
    const backlog = second.openBacklog(['alpha']);
    await backlog.check();
    expect(backlog.caughtUp()).to.equal(false);
    const { promise: handled, resolve: handle } = Promise.withResolvers<void>();
    let received = false;
    second.subscribe([
      on(event, async () => {
        received = true;
        await handled;
      }),
    ]);
    await until(() => received, { what: 'the message is delivered' });
    await backlog.check();
    expect(backlog.caughtUp(), 'delivered, not acknowledged').to.equal(false);
    handle();
    await until(isCaughtUp(second), { what: 'it is acknowledged' });
    const absent = second.openBacklog(['absent']);
    await absent.check();
    expect(absent.caughtUp(), 'where there is no stream, nothing lies in it').to.equal(true);
    await backlog.check();
    await nats.stop();
    await until(() => !backlog.caughtUp(), { what: 'nothing is known while NATS is away' });
  });

  it('a service does not wait for a poison message, but for one that failed because a dependency was away', async () => {
    const event = noteEvent();
    const { owner } = fixture();
    const bus = await open('beta');
    const backlog = bus.openBacklog(['alpha']);
    const isCaughtUp = async (): Promise<boolean> => {
      await backlog.check();
      return backlog.caughtUp();
    };
    const failed: string[] = [];
    let isAway = true;
    const handle = async ({ text }: { readonly text: string }): Promise<void> => {
      if (text !== 'poison' && !isAway) return;
      failed.push(text);
      throw text === 'poison' ? new TypeError('a bug') : new AppError('UNAVAILABLE', 'the database is away');
    };
    bus.subscribe([on(event, handle)], { retryDelaysMs: [10, 10, 10, 30_000, 30_000], pauses: false });
    await owner.publish(event, { text: 'poison' }, 'm1');
    await until(isCaughtUp, { what: 'nothing but poison is left', capMs: 10_000 });
    expect(failed).to.deep.equal(Array.from({ length: 4 }, () => 'poison'));
    await owner.publish(event, { text: 'waits' }, 'm2');
    await until(() => failed.includes('waits'), { what: 'the other one has failed' });
    expect(await isCaughtUp()).to.equal(false);
    isAway = false;
    await until(isCaughtUp, { what: 'the other one is handled', capMs: 10_000 });
    expect((await bus.jsm.consumers.info('ALPHA', 'beta')).num_ack_pending).to.equal(1);
  });
});
