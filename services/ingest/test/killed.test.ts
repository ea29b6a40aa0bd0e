/** A fetch whose process is killed between two effects is completed by another one. */
import { createCipheriv } from 'node:crypto';
import type { FailpointName } from '@vds/chassis/failpoint/names';
import { folderPrefix } from '@vds/chassis/objects/keys';
import { expect } from 'chai';
import { HOST, newId, startHarness, type Harness } from './servers/harness.ts';
import { serveBytes } from './servers/source-server.ts';

const PART = 64 * 1024;
const BYTES = createCipheriv('aes-128-ctr', Buffer.alloc(16, 3), Buffer.alloc(16)).update(Buffer.alloc(5 * PART + 9));
const setting = { SOURCE_PART_BYTES: String(PART) };

/** Each with the pass at which the process is killed, and the first byte that the next one requests. */
const places: readonly (readonly [point: FailpointName, nth: number, what: string, resumedAt: string | undefined])[] = [
  ['ingest.manifest-stored', 1, 'the manifest is stored, no part is', undefined],
  ['ingest.part-stored', 1, 'the first part is stored, its row is not written', undefined],
  ['ingest.part-stored', 2, 'the first part of the tail is stored, its row is not written', `bytes=${PART}-`],
  ['ingest.part-stored', 3, 'the tail is stored, the row of its last part is not written', `bytes=${PART}-`],
  ['ingest.head-recorded', 1, 'head and tail are announced, the middle is not read', `bytes=${PART}-`],
  ['ingest.part-begun', 5, 'a part of the middle is half read', `bytes=${2 * PART}-`],
];

describe('a killed fetch', () => {
  let harness: Harness;
  before(async function () {
    this.timeout(60_000);
    harness = await startHarness();
  });
  after(function () {
    this.timeout(20_000);
    return harness?.stop();
  });

  for (const [point, nth, what, resumedAt] of places)
    it(`a fetch that is killed when ${what} is completed by another process`, async () => {
      const path = `/${point}-${nth}`;
      harness.server.on(path, serveBytes(BYTES));
      const first = await harness.start({ ...setting, FAILPOINTS: `${point}=kill:${nth}` });
      const videoId = newId();
      await harness.catalog.request(videoId, `https://${HOST}${path}`);
      await first.exited;
      const before = harness.server.requests.filter(({ url }) => url === path).length;
      const second = await harness.start(setting);
      const { name, payload } = await harness.catalog.waitFor(videoId, ['fetchCompleted', 'fetchFailed']);
      expect(name).to.equal('fetchCompleted');
      expect((await harness.source(payload['sourceKey'])).equals(BYTES)).to.equal(true);
      const after = harness.server.requests.filter(({ url }) => url === path).slice(before);
      expect(after[0]?.headers.range).to.equal(resumedAt);
      const announced = harness.catalog.published(videoId).filter((event) => event.name === 'headStored');
      expect(announced.length).to.be.at.least(1);
      const folders = (await harness.keys(videoId)).map(folderPrefix);
      expect(new Set(folders)).to.deep.equal(new Set([folderPrefix(String(payload['sourceKey']))]));
      await second.stop();
    });
}).timeout(30_000);
