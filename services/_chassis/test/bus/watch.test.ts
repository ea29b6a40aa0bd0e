import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { on } from '../../src/bus/bus.ts';
import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { lasts, until } from '@vds/testkit/until';
import { noteEvent, useBuses } from '../fixtures.ts';

const note = noteEvent();

describe('watching events', () => {
  const { fixture, open } = useBuses();

  it('every replica receives the events published after it subscribed', async () => {
    const { owner } = fixture();
    await owner.publish(note, { text: 'before' }, 'id-0');
    const seen: string[] = [];
    for (const name of ['one', 'two']) {
      const replica = await open('beta');
      replica.watch([on(note, async (payload) => void seen.push(`${name}:${payload.text}`))]);
    }
    await until(async () => (await owner.jsm.streams.info('ALPHA')).state.consumer_count === 2, {
      what: 'two watchers',
    });
    await owner.publish(note, { text: 'after' }, 'id-1');
    await until(() => seen.length === 2, { what: 'both replicas' });
    expect(seen.toSorted()).to.deep.equal(['one:after', 'two:after']);
  });

  it('a replica receives the events published while it was disconnected', async () => {
    const { nats, owner } = fixture();
    const wire = await openCuttingProxy();
    wire.forwardTo(Number(new URL(nats.url).port));
    const seen: string[] = [];
    const watcher = await open('beta', `nats://127.0.0.1:${wire.port}`);
    try {
      watcher.watch([on(note, async (payload) => void seen.push(payload.text))]);
      const watchers = async () => (await owner.jsm.streams.info('ALPHA')).state.consumer_count;
      await until(async () => (await watchers()) === 1, { what: 'the watcher' });
      await owner.publish(note, { text: 'before' }, 'id-1');
      await until(() => seen.length === 1, { what: 'the first event' });
      wire.dropResponses();
      await lasts(3_000); // longer than the heartbeats it may miss
      await owner.publish(note, { text: 'meanwhile' }, 'id-2');
      wire.cut();
      await until(() => seen.length === 2, { what: 'the event published meanwhile' });
      await owner.publish(note, { text: 'after' }, 'id-3');
      await until(() => seen.length === 3, { what: 'the event published afterwards' });
    } finally {
      await wire.close();
    }
    expect(seen).to.deep.equal(['before', 'meanwhile', 'after']);
  }).timeout(60_000);

  it('closing during startup ends the watch at any moment', async () => {
    const { nats } = fixture();
    const leave = async (ms: number): Promise<string> => {
      const watcher = await open('beta', nats.url);
      watcher.watch([on(note, async () => {})]);
      await sleep(ms);
      await watcher.close();
      return 'ended';
    };
    for (let ms = 0; ms < 30; ms++)
      expect(
        await Promise.race([leave(ms / 2), sleep(10_000, 'hangs', { ref: false })]),
        `after ${ms / 2} ms`,
      ).to.equal('ended');
  }).timeout(60_000);
});
