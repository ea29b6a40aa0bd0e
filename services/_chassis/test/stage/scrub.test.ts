/** The slow pass through the objects of what viewers get. */
import { expect } from 'chai';
import { openObjects, type Objects } from '../../src/objects/objects.ts';
import { AppError, notFound } from '../../src/errors.ts';
import { startScrub, type ScrubOptions } from '../../src/stage/scrub.ts';
import type { VideoInUse } from '../../src/stage/videos-in-use.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { until } from '@vds/testkit/until';

/** A catalog whose videos are these, in the order of their versions, with the key of each one's ladder. */
function inUseOf(ladders: ReadonlyMap<string, string>): ScrubOptions['inUse'] {
  const videos = (): VideoInUse[] =>
    [...ladders].map(([videoId, ladderKey], index) => ({
      ...{ videoId, ladderKey, versionSeq: index + 1 },
      ...{ sourceKey: '', captionKeys: [], version: 1 },
    }));
  return {
    of: async (ids) => videos().filter(({ videoId }) => ids.includes(videoId)),
    list: async (after, limit) => ({
      videos: videos()
        .filter(({ versionSeq }) => versionSeq > after)
        .slice(0, limit),
      settledVersionSeq: ladders.size,
    }),
  };
}

async function valueOf(metrics: Metrics, name: string): Promise<number> {
  return Number(new RegExp(`^${name}\\S* ([0-9.]+)`, 'm').exec(await metrics.registry.metrics())?.[1]);
}

describe('the scrub', () => {
  let bucket: TestBucket;
  let objects: Objects;
  let metrics: Metrics;
  before(async () => {
    bucket = await testBucket();
    const { endpoint: s3Endpoint, region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey } = bucket;
    objects = openObjects({ s3Endpoint, s3Region, s3AccessKey, s3SecretKey }, bucket.bucket);
  });
  beforeEach(() => void (metrics = createMetrics('test')));
  after(() => bucket.drop());

  /** Runs a pass every 20 ms while `work` runs. */
  const scrubWhile = async (options: Partial<ScrubOptions>, work: () => Promise<unknown>): Promise<void> => {
    const scrub = startScrub({
      ...{ objects, metrics, scrubObjectsPerSecond: 10_000, everyMs: 20 },
      log: createLogger('test', 'error', { write: () => {} }),
      documentOf: ({ ladderKey }) => ladderKey,
      inUse: inUseOf(new Map()),
      ...options,
    });
    try {
      await work();
    } finally {
      await scrub.close();
    }
  };
  const isBroken = (count: number) =>
    until(async () => (await valueOf(metrics, 'vds_scrub_broken_videos')) === count, { what: `${count} are broken` });

  it('a lost object is noticed wherever the pass began, and forgotten once it is back or its video is gone', async () => {
    const ladders = new Map(['a', 'b', 'c'].map((id) => [id, `videos/${id}/1/x.1-ab/y`]));
    const put = (key: string) => objects.putBytes(key, 'x', { contentType: 'text/plain' });
    await Promise.all([...ladders.values()].map(put));
    await scrubWhile({ inUse: inUseOf(ladders) }, async () => {
      await objects.removePrefix('videos/a/');
      await objects.removePrefix('videos/c/');
      await isBroken(2);
      await put(ladders.get('a') ?? '');
      await isBroken(1);
      ladders.delete('c');
      await isBroken(0);
      expect(await valueOf(metrics, 'vds_scrub_objects_total')).to.be.greaterThan(0);
    });
  });

  it('a ladder that cannot be read is broken, and one that is no longer used is not', async () => {
    const ladders = new Map(['a', 'b'].map((id) => [id, `videos/${id}/1/x.1-ab/ladder.json`]));
    const listed = inUseOf(new Map(ladders));
    const namedBy = async (key: string): Promise<string[]> => {
      throw new AppError('INVALID_ARGUMENT', `invalid ladder.json: \`version\` must be 1 (${key})`);
    };
    // Deleted since its page was listed.
    ladders.delete('b');
    await scrubWhile({ inUse: { ...inUseOf(ladders), list: listed.list }, namedBy }, async () => {
      await isBroken(1);
      const looks = await valueOf(metrics, 'vds_scrub_objects_total');
      const goesOn = async () => (await valueOf(metrics, 'vds_scrub_objects_total')) > looks + 4;
      await until(goesOn, { what: 'another pass' });
      await isBroken(1);
    });
  });

  it('a repaired video is noticed before the next pass, however many are broken', async () => {
    const ladders = new Map(Array.from({ length: 25 }, (_, n) => [`v${10 + n}`, `v${10 + n}`]));
    const present = new Set<string>();
    let isPassing = true;
    const inUse = inUseOf(ladders);
    const list: typeof inUse.list = async (after, limit) =>
      isPassing ? inUse.list(after, limit) : { videos: [], settledVersionSeq: 0 };
    const namedBy = async (key: string): Promise<string[]> => {
      if (!present.has(key)) throw notFound(key);
      return [];
    };
    await scrubWhile({ inUse: { ...inUse, list }, namedBy }, async () => {
      await isBroken(25);
      isPassing = false;
      for (const key of [...ladders.keys()].slice(-3)) present.add(key);
      await isBroken(22);
    });
  });

  it('a pass that cannot go on is told of', async () => {
    const list = () => Promise.reject(new Error('catalog is away'));
    await scrubWhile({ inUse: { ...inUseOf(new Map()), list } }, async () => {
      const isFailing = async (): Promise<boolean> =>
        /^vds_task_failing_seconds{task="scrub"\S* [^0 ]*[1-9]/m.test(await metrics.registry.metrics());
      await until(isFailing, { what: 'the metric' });
    });
  });
});
