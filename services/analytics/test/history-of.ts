/** What holds for years of history in each store. */
import { expect } from 'chai';
import type { EventStore } from '../src/outbound/store.ts';
import { ANY_DAY, row } from './rows.ts';

const DAY_MS = 86_400_000;
type Aging = {
  /** The last day of the three years. */
  readonly end: number;
  /** Moves the clock, and drops what is not kept any more. */
  readonly forget: (nowMs: number) => Promise<void>;
};

/** @param organization of its own, without events */
export async function checkHistory(store: EventStore, organization: string, { end, forget }: Aging): Promise<void> {
  const ask = async (sql: string) => (await store.query(organization, sql, ANY_DAY)).rows;
  const expected = new Map<string, { plays: number; watchedMs: number }>();
  for (let daysAgo = 1_095; daysAgo >= 0; daysAgo -= 73) {
    const at = end - daysAgo * DAY_MS;
    const day = new Date(at).toISOString().slice(0, 10);
    const plays = 1 + (daysAgo % 4);
    const events = Array.from({ length: plays }, (_play, n) =>
      [1, 2].map((half) =>
        row(
          {
            ...{ viewId: `${day}-${n}`, eventId: `${day}-${n}-${half}`, viewer: n === 0 ? 'ann' : `viewer-${n}` },
            ...{ occurredAtMs: at, receivedAtMs: at, asked: true, startupMs: 300, watchedMs: half * 10_000 },
          },
          { organizationId: organization },
        ),
      ),
    ).flat();
    // One that was opened, and never asked to play.
    const opened = { viewId: `${day}-open`, eventId: `${day}-open-1`, asked: false, state: 'preloading' };
    events.push(row({ ...opened, occurredAtMs: at, receivedAtMs: at }, { organizationId: organization }));
    await store.put(events);
    expected.set(day, { plays, watchedMs: plays * 20_000 });
    await forget(at);
  }
  const days = await ask('SELECT began_on, loads, plays, starts, watched_hours FROM daily ORDER BY began_on');
  expect(days.map((day) => String(day['began_on']))).to.deep.equal([...expected.keys()]);
  for (const day of days) {
    const { plays = 0, watchedMs = 0 } = expected.get(String(day['began_on'])) ?? {};
    const counts = [day['loads'], day['plays'], day['starts']].map(Number);
    expect(counts, String(day['began_on'])).to.deep.equal([plays + 1, plays, plays]);
    expect(Number(day['watched_hours'])).to.be.closeTo(watchedMs / 3_600_000, 1e-9);
  }
  const events = await ask('SELECT DISTINCT occurred_on FROM events ORDER BY occurred_on');
  const kept = [...expected.keys()].filter((day) => Date.parse(day) >= end - 801 * DAY_MS);
  expect(kept.length).to.be.below(expected.size);
  expect(events.map((event) => String(event['occurred_on']))).to.deep.equal(kept);
  const [oldest] = await ask('SELECT min(began_on) AS day, count(*) AS plays FROM plays');
  expect(String(oldest?.['day'])).to.equal([...expected.keys()][0]);
}
