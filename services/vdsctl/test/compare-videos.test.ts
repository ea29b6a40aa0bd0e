/** What a reconciliation asks of the services, beside traffic that continues; the services are functions of this file. */
import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import type { AdminClients } from '../src/outbound/admin-clients.ts';
import { compareVideos, compareAgain } from '../src/outbound/compare-videos.ts';

type Ids = { readonly videoIds?: readonly string[] };
type Listing = Ids & { readonly afterVersionSeq?: number; readonly limit?: number };
type Reported = {
  readonly videoId: string;
  readonly version: number;
  readonly owners: readonly { readonly report: Report }[];
};
type Report = { readonly videoId: string; readonly hasData: boolean; readonly missing: readonly string[] };
type Described = { readonly videos: readonly { readonly videoId: string; readonly keys: readonly string[] }[] };
type Repairing = { readonly repair: boolean; readonly repairUnreadable: boolean };
type Row = { version: number; versionSeq: number; ladderKey: string };

/** Catalog and its videos, four workers and the index. */
function fakeServices() {
  const rows = new Map<string, Row>();
  const reported: (Reported & Repairing)[] = [];
  const services = {
    rows,
    reported,
    /** Ids that ingest has, whatever catalog knows. */
    kept: [] as string[],
    withData: new Set<string>(),
    lists: 0,
    onList: (): void => undefined,
    onDescribe: (): void => undefined,
    changed: (_videos: readonly Reported[]): readonly string[] => [],
  };
  const inUse = ([videoId, row]: [string, Row]) => ({ videoId, sourceKey: '', captionKeys: [], ...row });
  const catalog = {
    ListVideosInUse: async ({ afterVersionSeq = 0, limit = 200, videoIds = [] }: Listing) => {
      services.lists += 1;
      if (services.lists > 50) throw new Error('the list never ends');
      const settledVersionSeq = Math.max(0, ...[...rows.values()].map(({ versionSeq }) => versionSeq));
      const selected = [...rows].filter(([id, { versionSeq }]) =>
        videoIds.length > 0 ? videoIds.includes(id) : versionSeq > afterVersionSeq,
      );
      const videos = selected.toSorted(([, a], [, b]) => a.versionSeq - b.versionSeq).map(inUse);
      services.onList();
      return { videos: videoIds.length > 0 ? videos : videos.slice(0, limit), settledVersionSeq };
    },
    Reconcile: async ({ videos, repair, repairUnreadable }: Repairing & { videos: readonly Reported[] }) => {
      reported.push(...videos.map((video) => ({ ...video, repair, repairUnreadable })));
      const findings = videos
        .filter(({ owners }) => owners.some(({ report }) => report.missing.length > 0))
        .map(({ videoId }) => ({
          kind: 'objects_missing',
          owner: 'transcode',
          videoId,
          repair: 'x',
          repaired: repair,
        }));
      return { findings, changedVideoIds: services.changed(videos) };
    },
  };
  const worker = {
    ListKnownVideos: async ({ after }: { after: string }) => ({ videoIds: services.kept.filter((id) => id > after) }),
    DescribeVideos: async ({ videos }: Described) => {
      services.onDescribe();
      return {
        videos: videos.map(({ videoId, keys }) => ({
          videoId,
          hasData: services.withData.has(videoId),
          missing: keys.filter((key) => key.startsWith('lost')),
        })),
      };
    },
  };
  const index = { ListIndexedVideos: async () => ({ videos: [] }) };
  const clients = { videos: () => catalog, inUse: () => catalog, worker: () => worker, index: () => index };
  return { ...services, services, clients: clients as unknown as AdminClients };
}

function id(n: number): string {
  return String(n).padStart(5, '0');
}
const none = { objects: false };
function quiet(): void {}
const by = { actor: 'sam', reason: 'x' };

describe('a comparison of all videos', () => {
  it('a comparison ends although videos change faster than it lists them, and compares each once', async () => {
    const { rows, services, clients, reported } = fakeServices();
    for (let n = 1; n <= 250; n++) rows.set(id(n), { version: 1, versionSeq: n, ladderKey: '' });
    services.kept = [...rows.keys()];
    let next = 250;
    services.onList = () => {
      for (const row of rows.values()) Object.assign(row, { versionSeq: ++next });
    };
    const { videos } = await compareVideos(clients, none, quiet);
    expect(videos).to.equal(250);
    expect(reported.map(({ videoId }) => videoId).toSorted()).to.deep.equal([...rows.keys()]);
  });

  it('a video that is created meanwhile is reported with what catalog knows of it then', async () => {
    const { rows, services, clients, reported } = fakeServices();
    services.onDescribe = () => rows.set(id(2), { version: 4, versionSeq: 2, ladderKey: '' });
    rows.set(id(1), { version: 1, versionSeq: 1, ladderKey: '' });
    services.kept = [id(1), id(2), id(3)];
    await compareVideos(clients, none, quiet);
    const versions = reported.map(({ videoId, version }) => [videoId, version]);
    expect(versions).to.deep.equal([
      [id(1), 1],
      [id(2), 4],
      [id(3), 0],
    ]);
  });

  it('a video that changed is compared again by the keys that it uses then, and given up on after three times', async () => {
    const { rows, services, clients } = fakeServices();
    rows.set(id(1), { version: 1, versionSeq: 1, ladderKey: 'lost-before' });
    services.changed = (videos) => {
      rows.set(id(1), { version: 2, versionSeq: 2, ladderKey: 'there' });
      return videos.filter(({ version }) => version === 1).map(({ videoId }) => videoId);
    };
    // The fake finds what is missing in any case; catalog finds nothing of a video that has changed.
    const settled = await compareVideos(clients, none, quiet);
    expect(settled.changed).to.deep.equal([]);
    services.changed = (videos) => videos.map(({ videoId }) => videoId);
    expect((await compareAgain(clients, [id(1)], none)).changed).to.deep.equal([id(1)]);
  });

  it('a repair asks for the keys that are in use now, not for those of the comparison before', async () => {
    const { rows, clients } = fakeServices();
    rows.set(id(1), { version: 1, versionSeq: 1, ladderKey: 'lost' });
    const { findings } = await compareVideos(clients, none, quiet);
    expect(findings).to.have.length(1);
    rows.set(id(1), { version: 2, versionSeq: 2, ladderKey: 'made again' });
    expect((await compareAgain(clients, [id(1)], none, by)).findings).to.deep.equal([]);
  });

  it('what cannot be read is repaired only where that is asked for', async () => {
    const { rows, clients, reported } = fakeServices();
    rows.set(id(1), { version: 1, versionSeq: 1, ladderKey: '' });
    await compareAgain(clients, [id(1)], none, by);
    await compareAgain(clients, [id(1)], { ...none, repairUnreadable: true }, by);
    expect(reported.map(({ repairUnreadable }) => repairUnreadable)).to.deep.equal([false, true]);
  });

  it('tombstones are no stored videos', async () => {
    const { services, clients } = fakeServices();
    services.kept = [id(1), id(2), id(3)];
    services.withData = new Set([id(2)]);
    const { videos, stored } = await compareVideos(clients, none, quiet);
    expect([videos, stored]).to.deep.equal([3, 1]);
  });

  it('while a service is unavailable nothing is compared and nothing repaired', async () => {
    const { rows, services, clients, reported } = fakeServices();
    rows.set(id(1), { version: 1, versionSeq: 1, ladderKey: 'lost' });
    services.onDescribe = () => {
      throw new AppError('UNAVAILABLE', 'away');
    };
    for (const work of [compareVideos(clients, none, quiet), compareAgain(clients, [id(1)], none, by)])
      expect(await work.catch((error: unknown) => (error as AppError).code)).to.equal('UNAVAILABLE');
    expect(reported).to.deep.equal([]);
  });
});
