import { expect } from 'chai';
import { openObjects, type Objects } from '../../src/objects/objects.ts';
import { abortAbandoned } from '../../src/stage/abandoned-uploads.ts';
import { addJobRows } from '../../src/work/job-rows.ts';
import { listUploads, testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { quiet } from '../fixtures.ts';
import { stageKit } from './stage-kit.ts';

describe('abandoned uploads', () => {
  const { pool } = stageKit();
  let kit: TestBucket;
  let objects: Objects;
  before(async () => {
    kit = await testBucket();
    const keys = { s3AccessKey: kit.accessKey, s3SecretKey: kit.secretKey };
    objects = openObjects({ s3Endpoint: kit.endpoint, s3Region: kit.region, ...keys }, kit.bucket);
  });
  after(() => kit.drop());

  const begin = (key: string): Promise<string> => kit.client.initiateNewMultipartUpload(kit.bucket, key, {});
  const abort = (ageMs: number): Promise<number> =>
    abortAbandoned({ pool: pool(), objects, log: quiet, olderThanMs: 60_000 }, Date.now() + ageMs);

  it('an upload of an ended job is aborted once it is older than any lease, and one of an unfinished job stays', async () => {
    await begin('videos/a/1/pan.1/x');
    await begin('videos/a/2/pan.1/x');
    const job = { stage: 'weigh', queue: 'weigh', videoId: 'a', attempt: 2, name: 'pan' };
    await addJobRows(pool(), [job]);
    expect(await abort(30_000)).to.equal(0);
    expect(await abort(90_000)).to.equal(1);
    expect(await listUploads(kit)).to.deep.equal(['videos/a/2/pan.1/x']);
    await pool().query(`UPDATE chassis.jobs SET state = 'done'`);
    expect(await abort(90_000)).to.equal(1);
    expect(await listUploads(kit)).to.deep.equal([]);
  });
});
