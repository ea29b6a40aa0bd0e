/** The slow pass through the objects of playable videos. */
import { expect } from 'chai';
import { openObjects, type Objects } from '../../src/objects/objects.ts';
import { notFound } from '../../src/errors.ts';
import { startScrub } from '../../src/stage/scrub.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { until } from '@vds/testkit/until';

describe('the scrub', () => {
  let bucket: TestBucket;
  let objects: Objects;
  before(async () => {
    bucket = await testBucket();
    const { endpoint: s3Endpoint, region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey } = bucket;
    objects = openObjects({ s3Endpoint, s3Region, s3AccessKey, s3SecretKey }, bucket.bucket);
  });
  after(() => bucket.drop());

  it('a lost object is noticed wherever the pass began, and forgotten once it is back or its video is gone', async () => {
    const videos = ['a', 'b', 'c'];
    const keyOf = (videoId: string): string => `videos/${videoId}/1/x.1-ab/y`;
    const put = (videoId: string) => objects.putBytes(keyOf(videoId), 'x', { contentType: 'text/plain' });
    await Promise.all(videos.map(put));
    const metrics = createMetrics('test');
    const scrub = startScrub({
      ...{ objects, metrics, scrubObjectsPerSecond: 100, everyMs: 20 },
      log: createLogger('test', 'error', { write: () => {} }),
      documentsAfter: async (after, limit) =>
        videos
          .filter((videoId) => videoId > after)
          .slice(0, limit)
          .map((videoId) => ({ videoId, key: keyOf(videoId) })),
      anyVideo: async () => 'b',
    });
    const broken = async (): Promise<number> =>
      Number(/^vds_scrub_broken_videos\S* (\d+)/m.exec(await metrics.registry.metrics())?.[1]);
    const isBroken = (count: number) => until(async () => (await broken()) === count, { what: `${count} are broken` });
    try {
      await objects.removePrefix(keyOf('a'));
      await objects.removePrefix(keyOf('c'));
      await isBroken(2);
      await put('a');
      await isBroken(1);
      videos.pop();
      await isBroken(0);
      expect(await metrics.registry.metrics()).to.match(/^vds_scrub_objects_total\S* [1-9]/m);
    } finally {
      await scrub.close();
    }
  });

  it('a repaired video is noticed before the next pass, however many are broken', async () => {
    const videos = Array.from({ length: 25 }, (_, n) => `v${10 + n}`);
    const present = new Set<string>();
    let isPassing = true;
    const metrics = createMetrics('test');
    const scrub = startScrub({
      ...{ objects, metrics, scrubObjectsPerSecond: 10_000, everyMs: 20 },
      log: createLogger('test', 'error', { write: () => {} }),
      namedBy: async (key) => {
        if (!present.has(key)) throw notFound(key);
        return [];
      },
      // A pass reads many documents at a time, a second look at a broken video one.
      documentsAfter: async (after, limit) =>
        isPassing || limit === 1
          ? videos
              .filter((videoId) => videoId > after)
              .slice(0, limit)
              .map((videoId) => ({ videoId, key: videoId }))
          : [],
      anyVideo: async () => '',
    });
    const broken = (count: number) => async () =>
      new RegExp(`^vds_scrub_broken_videos\\S* ${count}$`, 'm').test(await metrics.registry.metrics());
    try {
      await until(broken(25), { what: 'all are broken' });
      isPassing = false;
      for (const videoId of videos.slice(-3)) present.add(videoId);
      await until(broken(22), { what: 'three are repaired', capMs: 10_000 });
    } finally {
      await scrub.close();
    }
  });

  it('a pass that cannot go on is told of', async () => {
    const metrics = createMetrics('test');
    const scrub = startScrub({
      ...{ objects, metrics, scrubObjectsPerSecond: 100, everyMs: 20 },
      log: createLogger('test', 'error', { write: () => {} }),
      documentsAfter: () => Promise.reject(new Error('the database is away')),
      anyVideo: async () => 'b',
    });
    const isFailing = async (): Promise<boolean> =>
      /^vds_task_failing_seconds{task="scrub"\S* [^0 ]*[1-9]/m.test(await metrics.registry.metrics());
    try {
      await until(isFailing, { what: 'the metric' });
    } finally {
      await scrub.close();
    }
  });
});
