/** What a service with stages reports of its rows and objects. */
import { expect } from 'chai';
import { AppError } from '../../src/errors.ts';
import { openObjects, type Objects } from '../../src/objects/objects.ts';
import { describeVideos, listKnownVideos } from '../../src/stage/known-videos.ts';
import { workerAdmin } from '../../src/stage/worker-admin.ts';
import { addTombstone } from '../../src/stage/tombstones.ts';
import { listJobRows } from '../../src/work/list-jobs.ts';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { requestOf, stageKit } from './stage-kit.ts';

describe('what a service keeps of videos', () => {
  const kit = stageKit();
  let bucket: TestBucket;
  let objects: Objects;
  beforeEach(async () => {
    bucket = await testBucket();
    const { endpoint: s3Endpoint, region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey } = bucket;
    objects = openObjects({ s3Endpoint, s3Region, s3AccessKey, s3SecretKey }, bucket.bucket);
  });
  afterEach(() => bucket.drop());
  const put = (...keys: string[]) =>
    Promise.all(keys.map((key) => objects.putBytes(key, 'x', { contentType: 'text/plain' })));
  const kept = () => ({ pool: kit.pool(), objects });

  it('videos with rows, a tombstone or objects are listed in order, page by page, each once', async () => {
    await kit.take(requestOf({ videoId: 'b' }));
    await addTombstone(kit.pool(), 'c');
    await put('videos/a/1/x.1-ab/y', 'videos/b/1/x.1-ab/y', 'videos/b/2/x.1-ab/y', 'videos/d/1/x.1-ab/y');
    expect(await listKnownVideos(kept(), '', 10)).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(await listKnownVideos(kept(), '', 3)).to.deep.equal(['a', 'b', 'c']);
    expect(await listKnownVideos(kept(), 'b', 10)).to.deep.equal(['c', 'd']);
    expect(await listKnownVideos(kept(), 'd', 10)).to.deep.equal([]);
  });

  it('a report shows the stages, the tombstone, whether there is data, and which keys in use do not exist', async () => {
    await kit.take(requestOf({ videoId: 'b' }));
    await addTombstone(kit.pool(), 'c');
    await put('videos/a/1/x.1-ab/y');
    const videos = [
      { videoId: 'a', keys: ['videos/a/1/x.1-ab/y', 'videos/a/1/x.1-ab/z'] },
      { videoId: 'b', keys: [] },
      { videoId: 'c', keys: [] },
      { videoId: 'e', keys: ['videos/e/1/x.1-ab/y'] },
    ];
    const none = { tombstoned: false, hasData: false, stages: [], missing: [], unreadable: [], stateRevision: 0 };
    expect(await describeVideos(kept(), videos, false)).to.deep.equal([
      { ...none, videoId: 'a', hasData: true, missing: ['videos/a/1/x.1-ab/z'] },
      { ...none, videoId: 'b', hasData: true, stages: [{ stage: 'weigh', attempt: 1, revision: 0, state: 'open' }] },
      { ...none, videoId: 'c', tombstoned: true },
      { ...none, videoId: 'e', missing: ['videos/e/1/x.1-ab/y'] },
    ]);
  });

  it('with all objects, everything that a document names must exist, and the document too', async () => {
    const keys = ['d', 'n', 'l'].map((name) => `videos/a/1/x.1-ab/${name}`);
    const [document = '', named = '', lost = ''] = keys;
    await put(document, named);
    const namedBy = async (key: string) => {
      await objects.stat(key);
      return [key, named, lost];
    };
    const missing = async (inUse: string[]) => {
      const [report] = await describeVideos({ ...kept(), namedBy }, [{ videoId: 'a', keys: inUse }], true);
      return report?.missing;
    };
    expect(await missing([document])).to.deep.equal([lost]);
    expect(await missing(['videos/a/1/x.1-ab/none'])).to.deep.equal(['videos/a/1/x.1-ab/none']);
  });

  it('a document that exists and cannot be read is reported as such, never as a missing object', async () => {
    const key = 'videos/a/1/x.1-ab/ladder.json';
    await put(key);
    const namedBy = async (): Promise<string[]> => {
      throw new AppError('INVALID_ARGUMENT', 'invalid ladder.json: `version` must be 1');
    };
    const [report] = await describeVideos({ ...kept(), namedBy }, [{ videoId: 'a', keys: [key] }], true);
    const unreadable = [{ key, reason: 'invalid ladder.json: `version` must be 1' }];
    expect(report).to.deep.include({ missing: [], unreadable });
  });

  it('jobs are listed by video and state, page by page', async () => {
    await kit.take(requestOf({ videoId: 'a' }));
    await kit.take(requestOf({ videoId: 'b' }));
    const list = (videoId: string, state: string, afterId = 0, limit = 10) =>
      listJobRows(kit.pool(), { videoId, state, afterId, limit });
    const all = await list('', 'ready');
    expect(all.map(({ videoId, name }) => [videoId, name])).to.deep.equal([
      ['a', 'pan'],
      ['b', 'pan'],
    ]);
    expect(all[0]).to.include({ stage: 'weigh', queue: 'weigh', tries: 0, state: 'ready', error: null });
    expect(all[0]).to.include({ crashes: 0, quarantined: false, blockedSince: null, blockedBy: null });
    const since = new Date('2030-01-01T00:00:00Z');
    const blocked = `UPDATE chassis.jobs SET crashes = 2, quarantined = true, blocked_since = $1, blocked_by = 'missing'`;
    await kit.pool().query(`${blocked} WHERE video_id = 'a'`, [since]);
    const [first] = await list('a', '');
    expect(first).to.deep.include({ crashes: 2, quarantined: true, blockedSince: since, blockedBy: 'missing' });
    expect((await list('b', '')).map(({ videoId }) => videoId)).to.deep.equal(['b']);
    expect(await list('', 'done')).to.deep.equal([]);
    await kit.pool().query(`UPDATE chassis.jobs SET run_after = now() - interval '1 hour' WHERE video_id = 'a'`);
    const behind = async (videoId: string) => (await list(videoId, 'ready'))[0]?.olderReady;
    expect([await behind('a'), await behind('b')], 'how many could be claimed before').to.deep.equal([0, 1]);
    await kit.pool().query(`UPDATE chassis.jobs SET run_after = now() + interval '1 hour' WHERE video_id = 'b'`);
    expect([await behind('b'), (await list('', 'ready'))[0]?.olderReady], 'not asked, or not yet').to.deep.equal([
      null,
      null,
    ]);
    expect((await list('', '', all[0]?.id)).map(({ videoId }) => videoId)).to.deep.equal(['b']);
  });

  it('a list of jobs continues after its cursor, and a cursor that no page has returned is rejected', async () => {
    for (const videoId of ['a', 'b']) await kit.take(requestOf({ videoId }));
    const { ListJobs } = workerAdmin(kept()).methods;
    type Page = { readonly jobs: readonly { readonly videoId: string }[]; readonly nextCursor: string };
    const list = (cursor: string) =>
      ListJobs!({ videoId: '', state: '', pageSize: 1, cursor } as never, {} as never) as Promise<Page>;
    const first = await list('');
    const second = await list(first.nextCursor);
    expect([...first.jobs, ...second.jobs].map(({ videoId }) => videoId)).to.deep.equal(['a', 'b']);
    expect(second.nextCursor).to.equal('');
    for (const cursor of ['x', '-1', '1e3', '1.5', ' 1', '9'.repeat(16)]) {
      const error: unknown = await list(cursor).catch((thrown: unknown) => thrown);
      expect(error, cursor).to.be.instanceOf(AppError).and.include({ code: 'INVALID_ARGUMENT' });
    }
  });
});
