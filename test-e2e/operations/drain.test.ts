/**
 * A release on several nodes under load, that encodes: one node is drained, and one vanishes as a spot machine does. Nodes
 * with the servers stay: those of chart vds-devdeps are single.
 */
import { expect } from 'chai';
import { cached, ffmpeg } from '@vds/testkit/media/render';
import { skipBecause } from '@vds/testkit/skip';
import { lasts, until } from '@vds/testkit/until';
import { bare } from '../harness/apps-client.ts';
import { restartAll } from '../harness/cluster/install.ts';
import { dispensableNodes, drain, killNode, placesOf, usableNodes, zoneOf } from '../harness/cluster/nodes.ts';
import { getJson, kubectl, release } from '../harness/cluster/release.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { theCluster } from '../harness/shared-target.ts';
import type { Tally } from './load.ts';
import { beginReleaseLoad, type ReleaseLoad } from './release-load.ts';

/** In work at a time, of nine pieces each. */
const TITLES = 3;
const INPUTS = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=240', '-f', 'lavfi', '-i', 'sine=f=440:d=240'];
const ENCODING = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-c:a', 'aac', '-shortest'];
const WORKERS = `deployment/${release.name}-transcode`;

describe('a release on several nodes', function () {
  this.timeout(1_800_000);
  let target: Target;
  let partner: Partner;
  let load: ReleaseLoad;
  let source: string;
  let replicas = 0;

  before(async function () {
    target = await theCluster(this);
    const nodes = await usableNodes();
    if (nodes.length < 2) return skipBecause(this, 'needs two nodes that take pods');
    if ((await dispensableNodes()).size === 0) return skipBecause(this, 'every node has a server of the release');
    console.log(`      ${nodes.length} nodes in ${new Set(nodes.map(zoneOf)).size} zones`);
    ({
      spec: { replicas },
    } = await getJson<{ spec: { replicas: number } }>([WORKERS]));
    await scaleWorkers(nodes.length);
    partner = await target.newPartner('Titles');
    source = await target.serve(
      await cached('four-minutes', 'mp4', [...INPUTS, ...ENCODING], (path) => ffmpeg([...INPUTS, ...ENCODING, path])),
    );
    load = await beginReleaseLoad(target, 'Nodes');
  });
  after(async () => {
    await load?.end();
    // Helm refuses an upgrade that would change what somebody else has set.
    if (replicas > 0) await scaleWorkers(replicas);
  });

  it('a node that encodes is drained without a failed request, and every title becomes ready', async () => {
    const ids = await submitTitles();
    const node = await until(nodeThatEncodes, { capMs: 120_000, everyMs: 250, what: 'a node that encodes' });
    const tallied = await load.during(async () => {
      const from = performance.now();
      await drain(node);
      console.log(`      ${node} was drained in ${seconds(from)} s`);
    });
    report(tallied);
    expect(await becomeReady(ids)).to.include({ crashes: 0 });
    expect(tallied.failures).to.deep.equal([]);
  });

  it('a node that encodes vanishes, no title is lost, and once its pods are elsewhere no request fails', async function () {
    const command = process.env['VDS_KILL_NODE'];
    if (command === undefined) return skipBecause(this, 'VDS_KILL_NODE names no command that kills a node');
    await load.during(restartAll); // on all nodes again
    const ids = await submitTitles();
    const node = await until(nodeThatEncodes, { capMs: 120_000, everyMs: 250, what: 'a node that encodes' });
    const from = performance.now();
    const ready = becomeReady(ids);
    const tallied = await load.during(async () => {
      await killNode(command, node);
      console.log(`      ${node} is gone`);
      const moved = async (): Promise<boolean> => {
        const places = await Promise.all(['gateway', 'transcode', 'ingest', 'captions'].map(placesOf));
        return places.every((pods) => pods.size > 0 && ![...pods.values()].includes(node));
      };
      await until(moved, { capMs: 600_000, everyMs: 1_000, what: 'every pod to be on another node' });
      console.log(`      every pod is on another node after ${seconds(from)} s`);
    });
    // How many fail depends on what stands before the nodes (deploy/guide/spot.md), so it is told and not judged.
    report(tallied);
    const after = await load.during(() => lasts(20_000));
    expect(after.failures).to.deep.equal([]);
    await ready;
  });

  it('afterwards every video that was submitted in the meantime is ready', async () => {
    const records = await load.flow.end(600_000);
    console.log(`      ${records.length} videos`);
    expect(new Set(records.map(({ status }) => status))).to.deep.equal(new Set(['ready']));
  });

  async function scaleWorkers(count: number): Promise<void> {
    await kubectl(['scale', WORKERS, '--replicas', String(count)]);
    await kubectl(['rollout', 'status', WORKERS, '--timeout', '600s']);
  }

  async function submitTitles(): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let n = 0; n < TITLES; n++) ids.push(await partner.submit(source, { title: `In work ${n}` }));
    return ids;
  }

  /** A node without which the release can be, while a piece is encoded there. */
  async function nodeThatEncodes(): Promise<string | undefined> {
    const free = await dispensableNodes();
    const places = await placesOf('transcode');
    const { rows } = await target.site
      .adminPool('transcode')
      .query<{ pod: string }>(
        `SELECT split_part(claimed_by, '/', 1) AS pod FROM chassis.jobs WHERE state = 'running' AND name LIKE 'piece-%'`,
      );
    return rows.map(({ pod }) => places.get(pod) ?? '').find((node) => free.has(node));
  }

  async function becomeReady(ids: readonly string[]): Promise<{ pieces: number; again: number; crashes: number }> {
    const from = performance.now();
    for (const id of ids) expect((await partner.settled(id, 1_200_000)).status).to.equal('ready');
    const { rows } = await target.site.adminPool('transcode').query<Record<'pieces' | 'again' | 'crashes', number>>(
      `SELECT count(*)::int AS pieces, sum(fence - 1)::int AS again, sum(crashes)::int AS crashes FROM chassis.jobs
         WHERE video_id = ANY($1) AND name LIKE 'piece-%' AND fence > 0`,
      [ids.map(bare)],
    );
    const redone = rows[0] ?? { pieces: 0, again: 0, crashes: 0 };
    console.log(`      ${ids.length} titles ready after ${seconds(from)} s: ${JSON.stringify(redone)}`);
    return redone;
  }
});

/** How requests failed, and within which time. */
function report({ failures }: Tally): void {
  const ways = Map.groupBy(failures, ({ what, how }) => `${what} ${how}`);
  for (const [way, list] of ways) {
    const times = list.map(({ at }) => at.getTime());
    const during = ((Math.max(...times) - Math.min(...times)) / 1_000).toFixed(0);
    console.log(`      ${list.length} × ${way}, within ${during} s`);
  }
}

function seconds(from: number): string {
  return ((performance.now() - from) / 1_000).toFixed(0);
}
