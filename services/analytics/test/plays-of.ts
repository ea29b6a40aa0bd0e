/** What holds for loads, plays and starts in each store. */
import { expect } from 'chai';
import { viewCases } from '@vds/testkit/views/view-cases';
import type { EventStore } from '../src/outbound/store.ts';
import { ANY_DAY, NOW, row } from './rows.ts';

/** @param organization of its own, without events */
export async function checkPlays(store: EventStore, organization: string): Promise<void> {
  await store.put(
    viewCases.flatMap(({ viewId, reports }) =>
      reports.map((fields, at) =>
        row(
          {
            ...{ viewId, videoId: viewId, viewer: `viewer-of-${viewId}`, eventId: `${viewId}-${at}`, state: '' },
            ...{ occurredAtMs: NOW + at * 1_000, ...fields },
          },
          { organizationId: organization },
        ),
      ),
    ),
  );
  const names = Object.keys(viewCases[0]?.figures ?? {}).join(', ');
  const ask = async (sql: string) => (await store.query(organization, sql, ANY_DAY)).rows;
  const days = new Map(
    (await ask(`SELECT video_id, ${names}, viewers FROM daily`)).map((day) => [day['video_id'], day]),
  );
  for (const { name, viewId, figures } of viewCases) {
    const day = days.get(viewId) ?? {};
    const found = Object.fromEntries(Object.keys(figures).map((figure) => [figure, Number(day[figure] ?? 0)]));
    expect(found, name).to.deep.equal(figures);
    expect(Number(day['viewers'] ?? 0), name).to.equal(figures.plays);
  }
  const sum = (figure: 'loads' | 'plays'): number => viewCases.reduce((all, { figures }) => all + figures[figure], 0);
  const [count] = await ask('SELECT count(*) AS loads, (SELECT count(*) FROM plays) AS plays FROM loads');
  expect([Number(count?.['loads']), Number(count?.['plays'])]).to.deep.equal([sum('loads'), sum('plays')]);
}
