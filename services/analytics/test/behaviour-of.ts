/** What holds for what viewers watch in each store. */
import { expect } from 'chai';
import { watchedShares, watchedTogether } from '../src/domain/warehouse/behaviour.ts';
import type { Rows } from '../src/outbound/computation.ts';
import type { EventStore } from '../src/outbound/store.ts';
import { NOW, titled } from './rows.ts';
import { plainLifts, rowsOf, season } from './viewers.ts';

const days = { from: '2026-11-01', to: '' };

/** @param organization of its own, without events */
export async function checkBehaviour(store: EventStore, organization: string): Promise<void> {
  const ask = async (statement: string): Promise<Rows> => {
    const found: Rows[number][] = [];
    const question = { organizationId: organization, statements: [statement], days };
    await store.compute({ ...question, signal: new AbortController().signal }, (_at, rows) => void found.push(...rows));
    return found;
  };
  const videos = Array.from({ length: 30 }, (_none, at) => `v${at}`);
  await store.put(rowsOf(season(), organization));
  // Reports of sessions and devices that no token names do not count.
  const unnamed = rowsOf(season(), organization).map((row, at) => ({
    ...{ ...row, view_id: `unnamed-${at}`, event_id: `unnamed-${at}` },
    viewer_id: at % 2 === 0 ? null : `device-${at % 40}`,
  }));
  await store.put(unnamed);
  // What other organizations' viewers watch does not count.
  await store.put(rowsOf(season(), `${organization}2`));
  expect(await ask(watchedTogether(store.dialect)), 'without titles').to.deep.equal([]);
  await store.name(videos.map((videoId) => titled(videoId, { organizationId: organization })));

  const pairs = await ask(watchedTogether(store.dialect));
  const found = new Map(
    pairs.map((row) => [`${String(row['video_id'])} ${String(row['companion_id'])}`, Number(row['lift'])]),
  );
  const expected = plainLifts(season());
  expect(expected.size).to.be.above(20);
  expect([...found.keys()].toSorted()).to.deep.equal([...expected.keys()].toSorted());
  for (const [pair, lift] of found) expect(lift, pair).to.be.closeTo(expected.get(pair) ?? 0, 1e-9);
  const ofNew = await ask(watchedTogether(store.dialect, 'v2'));
  expect(ofNew.length).to.be.above(0).and.below(pairs.length);
  expect(ofNew.every((row) => String(row['video_id']) >= 'v2')).to.equal(true);

  const shares = await ask(watchedShares(store.dialect));
  const viewers = new Set(season().map(({ viewer, video }) => `${viewer} ${video}`));
  expect(shares.reduce((sum, row) => sum + Number(row['viewers']), 0)).to.equal(viewers.size);
  const hours = new Set(shares.map((row) => Date.parse(`${String(row['watched_hour']).replace(' ', 'T')}Z`)));
  expect([...hours].every((hour) => hour <= NOW && hour > NOW - 9 * 3_600_000)).to.equal(true);
  expect(JSON.stringify([pairs, shares])).to.not.include('viewer-');

  const [gone] = String([...found.keys()][0]).split(' ');
  await store.name([titled(gone ?? '', { organizationId: organization, title: '', version: 2 })]);
  const left = JSON.stringify([await ask(watchedTogether(store.dialect)), await ask(watchedShares(store.dialect))]);
  expect(left).to.not.include(`"${gone}"`);
  expect(await store.organizations(days)).to.include.members([organization, `${organization}2`]);
  expect(await store.organizations({ from: '2026-12-01', to: '' })).to.not.include(organization);
}
