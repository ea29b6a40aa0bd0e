/**
 * What catalog relies on in every worker, tested on the worker's own processes: repeated requests, cancellations,
 * SIGTERM, kills, lost leases, outages, silent object storage, and purges.
 */
import { overlay } from '../environments.ts';
import { expect } from 'chai';
import { until } from '../until.ts';
import { openCuttingProxy, type CuttingProxy } from '../harness/cutting-proxy.ts';
import type { faultyProgram } from '../harness/faulty-program.ts';
import { jobCosts } from '../harness/job-costs.ts';
import { metricOf } from '../harness/metric-of.ts';
import type { PublishedEvent, ServiceHarness, Worker } from '../harness/service-harness.ts';
import { cancelVideo, purgeVideo, terminalEvent } from '../harness/stand-in-catalog.ts';
import { released, terminateDuringWork } from '../harness/terminate-during-work.ts';

export type Hold = { readonly count: () => number | Promise<number>; readonly release: () => void };

/** How a worker's stage is driven and judged. */
export type WorkerUnderTest<V extends { readonly videoId: string }> = {
  readonly harness: Pick<ServiceHarness, 'pool' | 'bus' | 'published' | 'of' | 'startWorker' | 'close'>;
  /** Endpoint of its object storage. */
  readonly storage: string;
  /** Stores what a request of the stage reads. */
  readonly prepare: () => Promise<V>;
  readonly request: (video: V, attempt?: number) => Promise<void>;
  /** Variables of the processes that `hold` stops. */
  readonly settings: Readonly<Record<string, string>>;
  /** From now on jobs of those processes wait for what they need. `count` is the number of those that do. */
  readonly hold: () => Hold;
  /** The program whose kills cost nothing, if it runs one. */
  readonly program?: Pick<ReturnType<typeof faultyProgram>, 'killFor'>;
  /** The result of a video as other services get it; undefined where there is none. */
  readonly result: (videoId: string, worker: Worker) => Promise<unknown>;
  /** Keys of its objects of a video. */
  readonly keys: (videoId: string) => Promise<string[]>;
  readonly putObject?: (key: string) => Promise<unknown>;
  /** Its tables with rows of videos. */
  readonly tables: readonly string[];
};

const SLOW_LEASE = { TIME_SCALE: 'lease=10m,renew=2m' };
const FAST_LEASE = { TIME_SCALE: 'lease=2s,renew=500ms' };
const MAX_END_MS = 10_000;

/**
 * @param owner the service
 * @param stage its stage, as events name it
 * @param open starts the harness; a test of the suite starts its own workers
 */
export function describeWorker<V extends { readonly videoId: string }>(
  { owner, stage, runsPrograms = false }: { owner: string; stage: string; runsPrograms?: boolean },
  open: () => Promise<WorkerUnderTest<V>>,
): void {
  describe(`${stage} as a stage of a worker`, function () {
    this.timeout(120_000);
    let under: WorkerUnderTest<V>;
    let proxy: CuttingProxy;
    const started: Worker[] = [];
    /** One process for the tests that need no particular one. */
    let usual: Worker | undefined;
    let held: Hold | undefined;
    before(async () => {
      under = await open();
      proxy = await openCuttingProxy(under.storage);
    });
    after(async () => {
      await under?.harness.close();
      await proxy?.close();
    });
    afterEach(async () => {
      held?.release();
      proxy.cut();
      await Promise.all(started.splice(0).map((worker) => worker.stop('SIGKILL')));
      await under.harness.pool.query('TRUNCATE chassis.jobs');
    });

    const startFree = async (more: Readonly<Record<string, string>>): Promise<Worker> => {
      await usual?.stop('SIGKILL');
      usual = undefined;
      const worker = await under.harness.startWorker(overlay({ TIME_SCALE: 'purgeAgain=1h' }, more));
      started.push(worker);
      return worker;
    };
    const start = (more: Readonly<Record<string, string>> = {}) => startFree(overlay(under.settings, more));
    const shared = async (): Promise<Worker> =>
      (usual ??= await under.harness.startWorker(overlay(under.settings, SLOW_LEASE, { TIME_SCALE: 'purgeAgain=1h' })));
    const count = async (text: string, ...values: unknown[]): Promise<number> =>
      (await under.harness.pool.query(`SELECT 1 FROM ${text}`, values)).rowCount ?? 0;
    const running = (videoId: string): Promise<number> =>
      count("chassis.jobs WHERE video_id = $1 AND state = 'running'", videoId);
    const ended = (videoId: string, nth = 0): Promise<PublishedEvent> =>
      terminalEvent(under.harness.published, videoId, stage, { nth });
    const endsOf = (videoId: string): PublishedEvent[] =>
      ['completed', 'failed'].flatMap((end) => under.harness.of(videoId, `${stage}.${end}`));
    const completed = async (videoId: string, nth = 0): Promise<PublishedEvent> => {
      const end = await ended(videoId, nth);
      expect(end.subject, JSON.stringify(end.payload)).to.equal(`${owner}.${stage}.completed.v1`);
      return end;
    };
    const complete = async (): Promise<V> => {
      const video = await under.prepare();
      await under.request(video);
      await completed(video.videoId);
      return video;
    };
    /** Requests a video whose jobs wait. */
    const begin = async (): Promise<V & Hold> => {
      const video = await under.prepare();
      const hold = (held = under.hold());
      await under.request(video);
      await until(async () => (await hold.count()) > 0, { what: 'a job waits' });
      return { ...video, ...hold };
    };
    const purge = async (videoId: string, keepAttempt = 0): Promise<void> => {
      const before = under.harness.of(videoId, 'video.purged').length;
      const scope = keepAttempt > 0 ? 'PURGE_SCOPE_OTHER_ATTEMPTS' : 'PURGE_SCOPE_VIDEO';
      await purgeVideo(under.harness.bus, videoId, { scope, keepAttempt, owners: ['catalog', owner] });
      await until(() => under.harness.of(videoId, 'video.purged').length > before, { what: 'the purge is confirmed' });
    };
    const costs = (videos: readonly V[]) =>
      jobCosts(
        under.harness.pool,
        videos.map(({ videoId }) => videoId),
      );

    it(`${stage} that is requested again while it runs is done once`, async () => {
      const worker = await shared();
      const video = await begin();
      const before = await metricOf(worker, 'vds_bus_consumed_total');
      await under.request(video);
      await under.request(video);
      await until(async () => (await metricOf(worker, 'vds_bus_consumed_total')) >= before + 2, {
        what: 'the repeats are consumed',
      });
      video.release();
      await completed(video.videoId);
      expect(endsOf(video.videoId)).to.have.length(1);
      expect(under.harness.of(video.videoId, `${stage}.started`)).to.have.length(1);
      expect(await count('chassis.jobs WHERE video_id = $1 AND fence > 1', video.videoId)).to.equal(0);
      expect(await under.result(video.videoId, worker)).not.to.equal(undefined);
    });

    it(`${stage} that is requested again after its end republishes its terminal event, and does no work twice`, async () => {
      const worker = await shared();
      const video = await complete();
      const state = async () => ({
        result: await under.result(video.videoId, worker),
        keys: await under.keys(video.videoId),
        jobs: await count('chassis.jobs WHERE video_id = $1', video.videoId),
      });
      const before = await state();
      await under.request(video);
      expect((await completed(video.videoId, 1)).payload).to.deep.equal((await ended(video.videoId)).payload);
      expect(await state()).to.deep.equal(before);
      expect(under.harness.of(video.videoId, `${stage}.started`)).to.have.length(1);
    });

    it(`${stage} of a cancelled video stops at once, publishes nothing and does not start again`, async () => {
      await shared();
      const video = await begin();
      await cancelVideo(under.harness.bus, video.videoId);
      await until(async () => (await video.count()) === 0, { what: 'the waiting job is stopped', capMs: MAX_END_MS });
      video.release();
      const keys = await under.keys(video.videoId);
      await under.request(video);
      await complete();
      const open = "chassis.jobs WHERE video_id = $1 AND state IN ('ready', 'running')";
      expect(await count(open, video.videoId)).to.equal(0);
      expect(endsOf(video.videoId)).to.deep.equal([]);
      expect(await under.keys(video.videoId)).to.deep.equal(keys);
    });

    if (runsPrograms)
      it(`a program that the kernel kills costs ${stage} no try`, async () => {
        await shared();
        const video = await under.prepare();
        under.program?.killFor(2);
        await under.request(video);
        await completed(video.videoId);
        const { crashes, ...others } = await costs([video]);
        expect(crashes).to.be.greaterThan(0);
        expect(others).to.deep.equal({ tries: 0, failed: 0 });
      });

    it(`a purge during ${stage} removes all data of the video, and later requests of it are rejected`, async () => {
      const worker = await shared();
      const video = await begin();
      const { videoId } = video;
      await under.putObject?.(`videos/${videoId}/1/lost.1/x`);
      await purge(videoId);
      await until(async () => (await video.count()) === 0, { what: 'the waiting job is stopped', capMs: MAX_END_MS });
      video.release();
      await under.request(video);
      await purge(videoId); // is confirmed again
      await complete();
      expect(await under.keys(videoId)).to.deep.equal([]);
      for (const table of [
        ...under.tables,
        'chassis.stages',
        "(SELECT * FROM chassis.jobs WHERE stage <> 'purge') AS jobs",
      ])
        expect(await count(`${table} WHERE video_id = $1`, videoId), table).to.equal(0);
      expect(await count('chassis.tombstones WHERE video_id = $1', videoId)).to.equal(1);
      expect(endsOf(videoId)).to.deep.equal([]);
      expect(await under.result(videoId, worker)).to.equal(undefined);
    });

    it(`a purge of other attempts keeps the given attempt of ${stage}, without lost files, and later ones`, async () => {
      const worker = await shared();
      const video = await complete();
      const { videoId } = video;
      await under.request(video, 2);
      await completed(videoId, 1);
      const result = await under.result(videoId, worker);
      const kept = (await under.keys(videoId)).filter((key) => key.startsWith(`videos/${videoId}/2/`));
      if (under.putObject) {
        for (const lost of ['0/lost.1', '2/lost.9', '3/later.1']) await under.putObject(`videos/${videoId}/${lost}/x`);
        kept.push(`videos/${videoId}/3/later.1/x`);
      }
      await purge(videoId, 2);
      expect(await under.keys(videoId)).to.have.members(kept);
      for (const table of under.tables)
        expect(await count(`${table} WHERE video_id = $1 AND attempt <> 2`, videoId), table).to.equal(0);
      expect(await under.result(videoId, worker)).to.deep.equal(result);
    });

    it(`SIGTERM releases a running ${stage} without counting a try, and another process completes it`, async () => {
      const worker = await start(SLOW_LEASE);
      const video = await begin();
      const { code, ms, jobs } = await terminateDuringWork(under.harness.pool, video.videoId, worker.process);
      expect(code).to.equal(0);
      expect(ms).to.be.below(MAX_END_MS);
      expect(new Set(jobs.map((job) => JSON.stringify(job)))).to.deep.equal(new Set([JSON.stringify(released)]));
      video.release();
      await start();
      await completed(video.videoId);
    });

    it(`another process completes the ${stage} of a killed one, with one terminal event and rising progress`, async () => {
      const worker = await start(FAST_LEASE);
      const { videoId, release } = await begin();
      await worker.stop('SIGKILL');
      release();
      await start(FAST_LEASE);
      await completed(videoId);
      expect(await count('chassis.jobs WHERE video_id = $1 AND fence > 1', videoId)).to.be.greaterThan(0);
      await complete();
      expect([endsOf(videoId).length, under.harness.of(videoId, `${stage}.started`).length]).to.deep.equal([1, 1]);
      const percents = under.harness
        .of(videoId, `${stage}.progressed`)
        .map(({ payload }) => Number(payload['percent']));
      expect(percents).to.deep.equal([...percents].sort((a, b) => a - b));
    });

    it(`${stage} whose process has lost its lease changes nothing once another process has completed it`, async () => {
      const sweepsSoon = { TIME_SCALE: 'purgeAgain=5s' };
      const late = await start(overlay(SLOW_LEASE, sweepsSoon));
      const { videoId, release } = await begin();
      const winner = await startFree(overlay(FAST_LEASE, sweepsSoon));
      await under.harness.pool.query(
        "UPDATE chassis.jobs SET lease_until = now() - interval '1 second' WHERE state = 'running'",
      );
      await completed(videoId);
      await purge(videoId, 1);
      const state = async () => ({ ends: endsOf(videoId).length, result: await under.result(videoId, winner) });
      const [before, keys] = [await state(), await under.keys(videoId)];
      release();
      expect(await late.stop()).to.equal(0);
      expect(await state()).to.deep.equal(before);
      const sweep = "chassis.jobs WHERE video_id = $1 AND name LIKE '%final-sweep%' AND state = 'done'";
      await until(() => count(sweep, videoId), { what: 'the final sweep' });
      expect(await under.keys(videoId)).to.deep.equal(keys);
    });

    it(`while object storage is unavailable ${stage} pauses at no cost, and every video is completed when it is back`, async () => {
      const worker = await start({ S3_ENDPOINT: proxy.url, TIME_SCALE: 'breakerPause=200ms' });
      const videos = [await under.prepare(), await under.prepare(), await under.prepare()];
      proxy.refuse();
      for (const video of videos) await under.request(video);
      await worker.logged('dependency unavailable: queue paused');
      const unready = (await (await fetch(`http://127.0.0.1:${worker.ports.admin}/readyz`)).json()) as object;
      expect(unready).to.have.nested.property('checks.work', 'failing');
      proxy.cut();
      for (const { videoId } of videos) await completed(videoId);
      expect(await costs(videos)).to.deep.equal({ tries: 0, crashes: 0, failed: 0 });
    });

    it(`${stage} whose object storage is silent gives its slot back, and completes when it answers`, async () => {
      await start({ S3_ENDPOINT: proxy.url, TIME_SCALE: 's3Timeout=500ms,renew=200ms,breakerPause=200ms' });
      const video = await under.prepare();
      proxy.dropResponses();
      await under.request(video);
      await until(() => running(video.videoId), { what: 'the job runs' });
      await until(async () => (await running(video.videoId)) === 0, { what: 'the slot is free', capMs: MAX_END_MS });
      proxy.cut();
      await completed(video.videoId);
    });

    it(`SIGTERM ends a process whose ${stage} waits for silent object storage`, async () => {
      const worker = await start({ S3_ENDPOINT: proxy.url, TIME_SCALE: 's3Timeout=10m' });
      const video = await under.prepare();
      proxy.dropResponses();
      await under.request(video);
      await until(() => running(video.videoId), { what: 'the job runs' });
      const from = performance.now();
      expect(await worker.stop()).to.equal(0);
      expect(performance.now() - from).to.be.below(MAX_END_MS);
      proxy.cut();
    });
  });
}
