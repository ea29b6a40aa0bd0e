/** What is nobody's fault, for a service with stages: object storage that is unavailable, and a program that the kernel kills. */
import { openCuttingProxy } from './cutting-proxy.ts';
import { jobCosts, type JobCosts } from './job-costs.ts';
import { killableProgram } from './killed-program.ts';
import type { openServiceHarness } from './service-harness.ts';

type Harness = Pick<Awaited<ReturnType<typeof openServiceHarness>>, 'pool' | 'startWorker'>;
/** Requests the stage of a new video; waits until it has completed. */
export type StageOfVideo<V> = {
  readonly request: () => Promise<V>;
  readonly completed: (video: V) => Promise<void>;
};

/**
 * Requests three videos while object storage is unavailable, and waits for them once it is back.
 * @param endpoint of the storage
 * @returns what it has cost
 */
export async function outlastStorage<V>(harness: Harness, endpoint: string, stage: StageOfVideo<V>): Promise<JobCosts> {
  const proxy = await openCuttingProxy(endpoint);
  const worker = await harness.startWorker({ S3_ENDPOINT: proxy.url });
  proxy.refuse();
  const videos = [await stage.request(), await stage.request(), await stage.request()];
  await worker.logged('dependency unavailable: queue paused');
  proxy.cut();
  await Promise.all(videos.map(stage.completed));
  await worker.stop();
  await proxy.close();
  return jobCosts(harness.pool);
}

/** Requests a video while ffmpeg is killed for two seconds, and waits for it. @returns what it has cost */
export async function outlastKilledFfmpeg<V>(
  harness: Harness,
  folder: string,
  stage: StageOfVideo<V>,
): Promise<JobCosts> {
  const ffmpeg = killableProgram('ffmpeg', folder);
  await harness.startWorker({ FFMPEG_PATH: ffmpeg.path });
  ffmpeg.killFor(2);
  await stage.completed(await stage.request());
  return jobCosts(harness.pool);
}
