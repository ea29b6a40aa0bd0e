/** A video is found by its spoken and shown words, in its feeds and next to similar ones, exactly while it is live. */
import { expect } from 'chai';
import { smallSample } from '@vds/testkit/media/make-samples';
import { runs } from '@vds/testkit/counts';
import { until } from '@vds/testkit/until';
import { spokenClip } from '../chaos/short-clips.ts';
import { appsOf, bare, type Apps } from '../harness/apps-client.ts';
import type { Target } from '../harness/host/host.ts';
import { pollApps } from '../probes/apps-poller.ts';
import { documentsOf, leftoversOf, rowsOf } from '../probes/leftovers.ts';
import { pollIndex } from '../probes/index-poller.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theTarget } from '../harness/shared-target.ts';
import { spokenVideo } from './spoken-video.ts';
import { refreshesOf, videosIndex, visibleDocuments } from '../probes/visible-documents.ts';

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
    const record = await partner.settled(await partner.submit(await target.serve(path), more));
    expect(record.status, JSON.stringify(record.failure)).to.equal('ready');
    return record;
  };

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
    apps = appsOf(target.site);
    ({ partner, record: clip } = await spokenVideo());
    const found = async () => (await apps.search('campeonato')).hits.find((hit) => hit.item?.videoId === bare(clip.id));
    const hit = await within(found, 60_000, 'the clip with its tracks in search');
    publisherId = hit?.item?.publisherId ?? '';
  });
  after(() => apps?.close());

  /** The clip may be live, and found by its meaning, before its tracks and texts are in the index. */
  const snippetOf = (words: string, field: string) => {
    const shown = async () => {
      const { hits } = await apps.search(words);
      const hit = hits.find(({ item }) => item?.videoId === bare(clip.id));
      return hit?.snippets.find((one) => one.field === field);
    };
    return until(shown, { capMs: 60_000, everyMs: 50, what: `${words} in search` });
  };

  it('search finds a word that is only spoken, with its second', async function () {
    this.timeout(90_000);
    const snippet = await snippetOf('goalkeeper', 'transcript');
    expect(snippet).to.include({ language: 'en' });
    expect((snippet.atMs ?? 0) / 1_000).to.be.closeTo(4.2, 1);
  });

  it('search finds a word that is only on screen, with its second', async function () {
    this.timeout(90_000);
    const snippet = await snippetOf('slow motion', 'screen');
    expect((snippet.atMs ?? 0) / 1_000, JSON.stringify(snippet)).to.be.closeTo(9, 2);
  });

  it('search finds a video by a word of its translated captions', async () => {
    expect(await apps.finds('campeonato', clip.id)).to.equal(true);
  });

  it('a video is in the feed of its sport and in no other', async () => {
    const has = async (sport: string): Promise<boolean> =>
      (await apps.feed({ sport, limit: 50 })).items.some(({ videoId }) => videoId === bare(clip.id));
    expect([await has('fencing'), await has('surfing')]).to.deep.equal([true, false]);
  });

  it('the recommendations for a video never contain the video itself', async () => {
    const { items } = await apps.recommend(clip.id);
    expect(items.map(({ videoId }) => videoId)).not.to.include(bare(clip.id));
  });

  it('an archived video leaves search, feed and recommendations within 5 s, and a republished one is back within 60 s', async function () {
    this.timeout(240_000);
    const word = 'quixotry';
    const seed = clip.id;
    const { id } = await publish(await smallSample(), {
      title: `A ${word} of harvest`,
      sport: 'fencing',
      tags: ['autumn'],
    });
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

  it('a video with a queued archive is never found, not for an instant', async function () {
    this.timeout(900_000);
    const word = 'xylographer';
    const sourceUrl = await target.serve(await smallSample());
    const ids: string[] = [];
    // The query of all three, every 10 ms; and in parallel the results of the apps.
    const index = videosIndex(target.site);
    const refreshesBefore = await refreshesOf(index);
    const documents = pollIndex(index, 'climbing', 10);
    const answers = pollApps(apps, { word, sport: 'climbing', seed: clip.id, ids });
    const pollers = [documents, answers];
    try {
      for (let count = 0; count < runs(3); count++) {
        const id = await partner.submit(sourceUrl, {
          title: `${word} ${count}`,
          sport: 'climbing',
        });
        expect((await partner.archive(id)).status).to.equal(202);
        ids.push(id);
      }
      for (const id of ids) expect((await partner.settled(id, 600_000)).status).to.equal('archived');
      const isPassed = async () => (await Promise.all(ids.map(apps.indexed))).every(({ live }) => !live);
      await within(isPassed, 60_000, 'the archived videos have passed the index');
    } catch (failure) {
      await Promise.allSettled(pollers.map((one) => one.end()));
      throw failure;
    }
    const [indexPolls, appPolls] = await Promise.all([documents.end(), answers.end()]);
    const refreshes = (await refreshesOf(index)) - refreshesBefore;
    expect([indexPolls.seen, appPolls.seen]).to.deep.equal([0, 0]);
    const meanMs = indexPolls.durationMs / indexPolls.polls;
    console.log(
      `      ${ids.length} videos, ${indexPolls.polls} polls, one each ${meanMs.toFixed(1)} ms (longest pause ` +
        `${indexPolls.longestGapMs.toFixed(0)} ms) of ${refreshes} states of the index, ${appPolls.answered} answers (${appPolls.late} late)`,
    );
    expect(refreshes).to.be.greaterThan(0);
    expect(indexPolls.polls).to.be.greaterThan(2 * refreshes);
    expect(appPolls.answered).to.be.greaterThan(appPolls.late);
    // The same query finds live videos.
    expect(await visibleDocuments(index, 'fencing')).to.be.greaterThan(0);
  });

  it('a deleted video is never found again and leaves no object, document or row but tombstones', async function () {
    this.timeout(240_000);
    const { id } = await publish(await spokenClip(), { title: 'To be forgotten', sport: 'fencing' });
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
        if (left.length > 0) throw new Error(JSON.stringify(left));
        return true;
      },
      60_000,
      'empty stores',
    );
    expect(await apps.finds('forgotten', id)).to.equal(false);
  });

  it('no query misses a video while the whole index is rebuilt', async function () {
    this.timeout(240_000);
    let missed = 0;
    let queries = 0;
    await apps.reindex();
    const running = async (): Promise<boolean> => (await apps.reindexStatus()).state === 'running';
    do {
      queries += 1;
      if (!(await apps.finds('goalkeeper', clip.id))) missed += 1;
    } while (await running());
    for (let more = 0; more < 50; more++) if (!(await apps.finds('goalkeeper', clip.id))) missed += 1;
    expect((await apps.reindexStatus()).state).to.equal('done');
    expect(missed, `of ${queries + 50}`).to.equal(0);
  });
});
