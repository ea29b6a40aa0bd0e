/** Whether a video is as it would have been without any kill, read from every store. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { bare, type Apps } from '../harness/apps-client.ts';
import type { HostTarget } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { walkHls } from '../hls/walk.ts';
import { documentsOf, keysOf, leftoversOf, repeatedTries, rowsOf } from '../probes/leftovers.ts';
import { ambiguousRequests, storedOutcomes } from './terminal-events.ts';

const CAP_MS = 180_000;

/** The videos that are not deleted, also those whose submission had no response. */
export async function videoIds({ stack }: HostTarget): Promise<string[]> {
  const { rows } = await stack
    .adminPool('catalog')
    .query<{ id: string }>(`SELECT id FROM videos WHERE state <> 'deleted' ORDER BY created_at`);
  return rows.map(({ id }) => `vid_${id}`);
}

/** Waits until the video is ready, plays and is found; nothing of it exists twice. */
export async function becomesReady(target: HostTarget, partner: Partner, apps: Apps, id: string): Promise<void> {
  const { site, stack } = target;
  const settled = async () => {
    const record = await partner.get(id);
    return record.status !== 'processing' && record;
  };
  const { status, failure, playback } = await until(settled, { what: `the end of ${id}`, capMs: CAP_MS });
  expect(status, JSON.stringify(failure)).to.equal('ready');
  const tracks = async () => (await partner.get(id)).captions?.map((track) => track.status) ?? [];
  const settledTracks = async () => !(await tracks()).includes('processing');
  await until(settledTracks, { what: `the end of every track of ${id}`, capMs: CAP_MS });
  expect(await tracks()).not.to.include('failed');
  const token = await target.mint(playback?.playback_id ?? '');
  const walk = await walkHls(`${playback?.hls_url}?token=${token}`, target.scratch(id));
  expect(walk.breaches).to.deep.equal([]);
  await until(() => apps.finds('test', id), { what: `${id} in search`, capMs: CAP_MS });
  await allWorkEnds(target);
  const stored = await storedOutcomes(stack.servers, stack.name);
  const outcomes = new Map([...stored].filter(([request]) => request.startsWith(`${bare(id)} `)));
  expect([...outcomes.keys()]).to.include.members(
    ['fetch', 'inspect', 'encode'].map((stage) => `${bare(id)} ${stage} 1 0`),
  );
  expect(ambiguousRequests(outcomes)).to.deep.equal([]);
  const keys = await keysOf(site, id);
  expect([...new Set([...keys.values()].flat().map((key) => key.split('/')[2]))]).to.deep.equal(['1']);
  expect(repeatedTries(keys)).to.deep.equal([]);
}

/** Waits until nothing is left of the video in any store, and still nothing after the final sweeps. */
export async function leavesNothing({ site, ...target }: HostTarget, partner: Partner, id: string): Promise<void> {
  const isDeleted = async () => (await partner.get(id)).status === 'deleted';
  await until(isDeleted, { what: `the deletion of ${id}`, capMs: CAP_MS });
  const left = async () => [
    ...(await leftoversOf(site, id)),
    ...(await rowsOf(site, id)),
    ...(await documentsOf(site, id)),
  ];
  const isGone = async () => (await left()).length === 0;
  await until(isGone, { what: `nothing is left of ${id}`, capMs: CAP_MS, everyMs: 250 });
  await allWorkEnds({ site, ...target });
  expect(await left()).to.deep.equal([]);
}

/** Waits until no job and no message is left, final sweeps included. */
async function allWorkEnds({ stack }: HostTarget): Promise<void> {
  const ended = async (): Promise<boolean> => {
    for (const service of ['ingest', 'transcode', 'captions', 'metadata'] as const) {
      const { rowCount } = await stack
        .adminPool(service)
        .query(`SELECT 1 FROM chassis.jobs WHERE state IN ('ready', 'running') UNION ALL SELECT 1 FROM chassis.outbox`);
      if (rowCount !== 0) return false;
    }
    return true;
  };
  await until(ended, { what: 'the end of all work', capMs: CAP_MS, everyMs: 250 });
}

/** One charge for every video, whatever its partner saw. */
export async function chargesAreExact({ stack }: HostTarget): Promise<void> {
  const { rows } = await stack.adminPool('catalog').query<{ videos: number; charges: number }>(
    `SELECT (SELECT count(*)::int FROM videos) AS videos,
       (SELECT coalesce(sum(used), 0)::int FROM daily_counts) AS charges`,
  );
  expect(rows[0]?.charges).to.equal(rows[0]?.videos);
}
