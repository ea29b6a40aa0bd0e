/** A video is found by its spoken and shown words, in its feeds and beside similar ones, exactly while it is live. */
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { makeClip } from '@vds/testkit/media/make-clip';
import { makeSample } from '@vds/testkit/media/make-samples';
import { pairs } from '@vds/testkit/media/sample-list';
import { runs } from '@vds/testkit/counts';
import { until } from '@vds/testkit/until';
import { appsOf, bare, type Apps } from '../harness/apps-client.ts';
import type { Target } from '../harness/host/host.ts';
import { pollApps } from '../probes/apps-poller.ts';
import { documentsOf, leftoversOf, rowsOf } from '../probes/leftovers.ts';
import { pollIndex } from '../probes/index-poller.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theTarget } from '../harness/shared-target.ts';
import { videosIndex, visibleDocuments } from '../probes/visible-documents.ts';

function within<T>(work: () => Promise<T>, capMs: number, what: string): Promise<T> {
  return until(work, { capMs, everyMs: 50, what });
}

describe('finding a video', () => {
  let target: Target;
  let partner: Partner;
  let apps: Apps;
  let publisherId: string;
  let clip: VideoRecord;

  const publish = async (path: string, more: Record<string, unknown>): Promise<VideoRecord> => {
    await copyFile(path, join(target.media, basename(path)));
    const record = await partner.settled(await partner.submit(target.origin.url(`/${basename(path)}`), more));
    expect(record.status, JSON.stringify(record.failure)).to.equal('ready');
    return record;
  };
  const small = (): Promise<string> => makeSample(pairs.find(({ height }) => height === 240) ?? pairs[0]!);

  /** In how many of search, feed and recommendations the video is now. */
  const places = async (word: string, id: string, seed: string): Promise<number> => {
    const [found, feed, like] = await Promise.all([
      apps.finds(word, id),
      apps.feed({ publisherId, limit: 50 }),
      apps.recommend(seed),
    ]);
    const listed = [feed.items, like.items].map((items) => items.some(({ videoId }) => videoId === bare(id)));
    return [found, ...listed].filter(Boolean).length;
  };

  before(async function () {
    this.timeout(300_000);
    target = await theTarget();
    partner = await target.newPartner('Discovery');
    apps = appsOf(target.site);
    clip = await publish(await makeClip(), { title: 'Harvest day', sport: 'fencing', tags: ['autumn'] });
    const whole = async (): Promise<boolean> =>
      (await partner.get(clip.id)).captions?.filter(({ status }) => status === 'ready').length === 17;
    await within(whole, 120_000, 'every track');
    const found = async () => (await apps.search('campeonato')).hits.find((hit) => hit.item?.videoId === bare(clip.id));
    const hit = await within(found, 60_000, 'the clip with its tracks in search');
    publisherId = hit?.item?.publisherId ?? '';
  });
  after(() => apps?.close());

  it('leads from a word that is only spoken to the second at which it is said', async () => {
    const { hits } = await apps.search('goalkeeper');
    const hit = hits.find(({ item }) => item?.videoId === bare(clip.id));
    const [snippet] = hit?.snippets.filter(({ field }) => field === 'transcript') ?? [];
    expect(snippet, JSON.stringify(hit)).to.include({ language: 'en' });
    expect((snippet?.atMs ?? 0) / 1_000).to.be.closeTo(4.2, 1);
  });

  it('leads from a word that is only on screen to the second at which it is shown', async function () {
    this.timeout(90_000);
    const shown = async () => {
      const { hits } = await apps.search('slow motion');
      const hit = hits.find(({ item }) => item?.videoId === bare(clip.id));
      return hit?.snippets.find(({ field }) => field === 'screen');
    };
    // Metadata may complete after the video is live.
    const snippet = await within(shown, 60_000, 'the text on screen in search');
    expect((snippet?.atMs ?? 0) / 1_000, JSON.stringify(snippet)).to.be.closeTo(9, 2);
  });

  it('finds it by a word of a translation that nobody has spoken', async () => {
    expect(await apps.finds('campeonato', clip.id)).to.equal(true);
  });

  it('shows it in the feed of its sport, and in no other’s', async () => {
    const has = async (sport: string): Promise<boolean> =>
      (await apps.feed({ sport, limit: 50 })).items.some(({ videoId }) => videoId === bare(clip.id));
    expect([await has('fencing'), await has('surfing')]).to.deep.equal([true, false]);
  });

  it('recommends others to it, never itself', async () => {
    const { items } = await apps.recommend(clip.id);
    expect(items.map(({ videoId }) => videoId)).not.to.include(bare(clip.id));
  });

  it('ends within 5 s of an archive, and begins again within 60 s of a republish', async function () {
    this.timeout(240_000);
    const word = 'quixotry';
    const seed = clip.id;
    const { id } = await publish(await small(), { title: `A ${word} of harvest`, sport: 'fencing', tags: ['autumn'] });
    await within(async () => (await places(word, id, seed)) === 3, 60_000, 'search, feed and recommendations');
    let begun = Date.now();
    await partner.archive(id);
    await within(async () => (await places(word, id, seed)) === 0, 5_000, 'the end in all three');
    const gone = Date.now() - begun;
    begun = Date.now();
    await partner.republish(id);
    await within(async () => (await places(word, id, seed)) === 3, 60_000, 'the return to all three');
    console.log(`      gone after ${gone} ms, back after ${Date.now() - begun} ms`);
  });

  it('never happens, for no instant, while an archive is queued', async function () {
    this.timeout(900_000);
    const word = 'xylographer';
    const path = await small();
    await copyFile(path, join(target.media, 'queued.mkv'));
    const ids: string[] = [];
    // The query of all three, every 10 ms; and beside it the results of the apps.
    const documents = pollIndex(videosIndex(target.site), 'climbing', 10);
    const answers = pollApps(apps, { word, sport: 'climbing', seed: clip.id, ids });
    const pollers = [documents, answers];
    try {
      for (let count = 0; count < runs(10); count++) {
        const id = await partner.submit(target.origin.url('/queued.mkv'), {
          title: `${word} ${count}`,
          sport: 'climbing',
        });
        expect((await partner.archive(id)).status).to.equal(202);
        ids.push(id);
      }
      for (const id of ids) expect((await partner.settled(id, 600_000)).status).to.equal('archived');
      await sleep(3_000);
    } catch (failure) {
      await Promise.allSettled(pollers.map((one) => one.end()));
      throw failure;
    }
    const [looked, asked] = await Promise.all([documents.end(), answers.end()]);
    expect([looked.seen, asked.seen]).to.deep.equal([0, 0]);
    const meanMs = looked.durationMs / looked.polls;
    console.log(
      `      ${ids.length} videos, ${looked.polls} polls, one each ${meanMs.toFixed(1)} ms (longest pause ` +
        `${looked.longestGapMs.toFixed(0)} ms, ${looked.skipped} left out), ${asked.answered} answers (${asked.late} late)`,
    );
    expect(looked.polls).to.be.greaterThan(looked.skipped);
    expect(asked.answered).to.be.greaterThan(asked.late);
    // The same query finds live videos.
    expect(await visibleDocuments(videosIndex(target.site), 'fencing')).to.be.greaterThan(0);
  });

  it('ends for ever with a delete, which leaves no object, document or row but tombstones', async function () {
    this.timeout(240_000);
    const { id } = await publish(await makeClip(), { title: 'To be forgotten', sport: 'fencing' });
    await within(async () => (await apps.indexed(id)).live, 60_000, 'the document');
    expect(await leftoversOf(target.site, id)).to.have.length.greaterThan(20);
    expect(await rowsOf(target.site, id)).to.have.length.greaterThan(5);
    await partner.remove(id);
    await within(
      async () => {
        const left = [
          await leftoversOf(target.site, id),
          await rowsOf(target.site, id),
          await documentsOf(target.site, id),
        ].flat();
        if (left.length > 0) throw new Error(left.join('; '));
        return true;
      },
      60_000,
      'empty stores',
    );
    expect(await apps.finds('forgotten', id)).to.equal(false);
  });

  it('misses nothing for one query while the whole index is made anew', async function () {
    this.timeout(240_000);
    let missed = 0;
    let asked = 0;
    await apps.reindex();
    const running = async (): Promise<boolean> => (await apps.reindexStatus()).state === 'running';
    do {
      asked += 1;
      if (!(await apps.finds('goalkeeper', clip.id))) missed += 1;
    } while (await running());
    for (let more = 0; more < 50; more++) if (!(await apps.finds('goalkeeper', clip.id))) missed += 1;
    expect((await apps.reindexStatus()).state).to.equal('done');
    expect(missed, `of ${asked + 50}`).to.equal(0);
  });
});
