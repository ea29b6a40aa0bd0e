import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { until } from '@vds/testkit/until';
import { nextBacklog, type Backlog } from '../../src/bus/backlog.ts';
import { on } from '../../src/bus/bus.ts';
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

  it('a message that is redelivered again and again keeps its consumer from having caught up', () => {
    let backlog: Backlog | undefined;
    for (let seq = 10; seq < 50; seq++) {
      backlog = nextBacklog(backlog, consumed(seq, 9, { unacknowledged: 1 }));
      expect(backlog.caughtUp).to.equal(false);
    }
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
});
