/**
 * The service as a process: videos from consumed events become findable, are hidden, return, and are permanently
 * removed.
 */
import { expect } from 'chai';
import { events } from '@vds/proto/events';
import { until } from '@vds/testkit/until';
import { openBus } from '@vds/testkit/harness/service-harness';
import { openHarness, type Harness, type Replica } from './harness.ts';
import { clip, newId, putTrack, metadataFor } from './videos.ts';

describe('the service', function () {
  this.timeout(60_000);
  let harness: Harness;
  let replica: Replica;

  before(async () => {
    harness = await openHarness();
    replica = await harness.start();
  });
  after(() => harness.close());

  const found = async (title: string): Promise<boolean> => {
    const { hits } = await replica.apps.Search({ query: title });
    return hits.some(({ item }) => item?.title === title);
  };
  const inAll = async (title: string, seed: string): Promise<boolean[]> => {
    const [feed, recommended] = await Promise.all([
      replica.apps.Feed({ limit: 50 }),
      replica.apps.Recommend({ videoIds: [seed], limit: 50 }),
    ]);
    return [
      await found(title),
      ...[feed.items, recommended.items].map((items) => items.some((item) => item.title === title)),
    ];
  };
  const publish = async (title: string): Promise<string> => {
    const id = newId();
    await harness.publishChanged(id, harness.data.publish(clip(id, { title, sport: 'tennis' })));
    await until(() => found(title), { what: `${title} is found` });
    return id;
  };

  it('a word that was only spoken and one that was only on screen are found with their seconds', async () => {
    const id = newId();
    const tracks = [
      await putTrack(harness.bucket, id, 'en', [[1_000, 'Good evening.'], [61_500, 'What a marvellous backhand!']]),
      await putTrack(harness.bucket, id, 'es', [[1_000, 'Buenas noches.'], [61_500, '¡Qué revés maravilloso!']]),
    ]; // prettier-ignore
    harness.data.metadata.set(id, metadataFor(id, [[83_000, 'SCOREBOARD 3-2']], ['final']));
    await harness.publishChanged(id, harness.data.publish(clip(id, { title: 'Match' }), tracks));
    const hit = await until(async () => (await replica.apps.Search({ query: 'backhands' })).hits[0], { what: 'found' });
    expect(hit.item).to.deep.include({ videoId: id, topics: ['final'], captionLanguages: ['en', 'es'] });
    expect(hit.snippets[0]).to.deep.include({
      field: 'transcript',
      language: 'en',
      atMs: 61_500,
      text: 'What a marvellous backhand!',
      marks: [{ start: 18, end: 26 }],
    });
    const screen = (await replica.apps.Search({ query: 'scoreboard' })).hits[0];
    expect(screen?.snippets[0]).to.deep.include({ field: 'screen', atMs: 83_000, marks: [{ start: 0, end: 10 }] });
    const spanish = (await replica.apps.Search({ query: 'maravillosos' })).hits[0];
    expect(spanish?.snippets[0]).to.deep.include({ field: 'transcript', language: 'es', atMs: 61_500 });
  });

  it('an archived video leaves all three queries within 5 s, and a republished one is back', async () => {
    const [seed, id] = [await publish('Seed of all'), await publish('Coming and going')];
    const is = async (wanted: boolean): Promise<boolean> =>
      (await inAll('Coming and going', seed)).every((one) => one === wanted);
    await until(() => is(true), { what: 'it is in all three' });
    const archived = performance.now();
    await harness.publishChanged(id, harness.data.hide(id));
    await until(() => is(false), { what: 'it is in none', everyMs: 10 });
    expect(performance.now() - archived).to.be.below(5_000);
    await harness.publishChanged(id, harness.data.publish(clip(id, { title: 'Coming and going', sport: 'tennis' })));
    await until(() => is(true), { what: 'it is back' });
  });

  it('a video that was archived before it was ready is never shown', async () => {
    const id = newId();
    harness.data.publish(clip(id, { title: 'Unborn' }));
    await harness.publishChanged(id, 1);
    harness.data.hide(id);
    const shown: boolean[] = [];
    const last = await publish('After the unborn');
    for (let at = 0; at < 20; at += 1) shown.push(await found('Unborn'));
    expect(shown).to.not.include(true);
    expect((await replica.admin.ShowVideo({ videoId: last })).live).to.equal(true);
  });

  it('a purge leaves nothing but a tombstone, and is confirmed then', async () => {
    const id = await publish('To be removed');
    const version = harness.data.hide(id, 'VIDEO_STATE_DELETED');
    const request = { videoId: id, scope: 'PURGE_SCOPE_VIDEO' as const, keepAttempt: 0, requestId: 'r' };
    await harness.bus.publish(events.purgeRequested, { ...request, owners: ['captions'] }, `${id}-others`);
    await harness.bus.publish(events.purgeRequested, { ...request, owners: ['indexer'] }, `${id}-1`);
    await until(() => harness.purged.includes(`${id} PURGE_SCOPE_VIDEO r`), { what: 'the purge is confirmed' });
    const left = await replica.admin.ShowVideo({ videoId: id });
    expect(left).to.deep.include({ found: true, live: false, version });
    expect(Object.keys(JSON.parse(left.document) as object)).to.have.members(['video_id', 'live', 'changed_at']);
    expect(await found('To be removed')).to.equal(false);
    await harness.bus.publish(events.purgeRequested, { ...request, owners: ['indexer'] }, `${id}-2`);
    await until(() => harness.purged.filter((line) => line.startsWith(id)).length === 2, {
      what: 'the purge is confirmed again',
    });
    await harness.publishChanged(id, 1); // a late event
    await harness.publishChanged(await publish('After removal'), 1);
    expect((await replica.admin.ShowVideo({ videoId: id })).live).to.equal(false);
    expect(harness.purged.filter((line) => line.startsWith(id))).to.have.length(2); // none for the other's request
  });

  it('what viewers watch comes from analytics; archived, held and deleted videos leave it at once, and no viewer is in it', async () => {
    const analytics = await openBus(harness.nats.url, 'analytics');
    const titles = ['Watched seed', 'Is archived', 'Is held', 'Is deleted', 'Is kept'];
    const [seed = '', archived = '', held = '', deleted = '', kept = ''] = await Promise.all(titles.map(publish));
    const others = [archived, held, deleted, kept];
    const tell = (computedAtMs: number): Promise<void> =>
      analytics.publish(
        events.videosWatched,
        {
          ...{ computedAtMs, halfLifeMs: 86_400_000 },
          interests: others.map((videoId, at) => ({ videoId, interest: 100 - at })),
          together: [seed, ...others].map((videoId) => ({
            ...{
              videoId,
              companions: others.flatMap((other) => (other === videoId ? [] : { videoId: other, lift: 9 })),
            },
          })),
        },
        `watched-${computedAtMs}`,
      );
    const shown = async (): Promise<readonly (readonly string[])[]> => {
      const [recommended, trending] = await Promise.all([
        replica.apps.Recommend({ history: [{ videoId: seed, share: 0.9 }], limit: 50 }),
        replica.apps.Feed({ trending: true }),
      ]);
      const together = recommended.items.filter((_item, at) => recommended.reasons[at]?.kind === 'watched_together');
      return [together, trending.items].map((items) => items.map(({ title }) => title).toSorted());
    };
    const show = (capMs: number, ...expected: readonly string[]) =>
      until(async () => (await shown()).every((list) => String(list) === String(expected)), {
        what: `both have ${expected.join(', ')}`,
        capMs,
      });
    const leaves = show.bind(undefined, 5_000);
    const appears = show.bind(undefined, 30_000);
    const stored = async (): Promise<string> => {
      const { prefix, request } = harness.rawIndex;
      await request('POST', `/${prefix}watched/_refresh`);
      const { hits } = await request<{ hits: { hits: { _source: object }[] } }>(
        'GET',
        `/${prefix}watched/_search?size=99`,
      );
      return JSON.stringify(hits.hits.map(({ _source }) => _source));
    };
    try {
      const now = Date.now();
      await tell(now);
      await appears('Is archived', 'Is deleted', 'Is held', 'Is kept');
      await harness.publishChanged(archived, harness.data.hide(archived));
      await leaves('Is deleted', 'Is held', 'Is kept');
      await harness.publishChanged(held, harness.data.hide(held));
      await leaves('Is deleted', 'Is kept');
      await harness.publishChanged(deleted, harness.data.hide(deleted, 'VIDEO_STATE_DELETED'));
      await leaves('Is kept');
      const request = { videoId: deleted, scope: 'PURGE_SCOPE_VIDEO' as const, keepAttempt: 0, requestId: 'w' };
      await harness.bus.publish(events.purgeRequested, { ...request, owners: ['indexer'] }, `${deleted}-watched`);
      await until(() => harness.purged.some((line) => line.startsWith(deleted)), { what: 'the purge is confirmed' });
      expect(await stored()).to.not.include(deleted);
      // What analytics had computed before it knew.
      await tell(now + 1);
      await until(async () => (await stored()).includes(new Date(now + 1).toISOString()), { what: 'it is stored' });
      await until(async () => !(await stored()).includes(deleted), { what: 'the deleted one is in no list' });
      await appears('Is kept');
      // Ids of videos, times and figures: nothing that could be about a viewer.
      const fields = [...(await stored()).matchAll(/"(\w+)":/g)].map(([, name]) => name);
      expect([...new Set(fields)]).to.have.members([
        ...['video_id', 'computed_at', 'half_life_ms', 'rank', 'companions', 'lift'],
      ]);
      await harness.publishChanged(
        archived,
        harness.data.publish(clip(archived, { title: 'Is archived', sport: 'tennis' })),
      );
      await tell(now + 2);
      await appears('Is archived', 'Is kept');
    } finally {
      await analytics.close();
    }
  });

  it('a video is indexed without tracks that are missing or malformed', async () => {
    const id = newId();
    const track = await putTrack(harness.bucket, id, 'en', [[0, 'lost words']]);
    await harness.bucket.client.putObject(harness.bucket.bucket, `videos/${id}/1/bad/track.json`, '{"sentences": 7}');
    const tracks = [
      { ...track, textKey: `${track.textKey}.gone` },
      { ...track, language: 'es', textKey: `videos/${id}/1/bad/track.json` },
    ];
    await harness.publishChanged(id, harness.data.publish(clip(id, { title: 'Trackless' }), tracks));
    await until(() => found('Trackless'), { what: 'it is found' });
    expect(await found('lost words')).to.equal(false);
  });

  it('a change without a message is written', async () => {
    const quiet = await harness.start({ TIME_SCALE: 'sweepEvery=200ms' });
    const id = newId();
    harness.data.publish(clip(id, { title: 'Unannounced' }));
    await until(() => found('Unannounced'), { what: 'it is found' });
    harness.data.hide(id);
    await until(async () => !(await found('Unannounced')), { what: 'it is hidden' });
    expect(await quiet.end()).to.equal(0);
  });

  it('RefreshVideo reads a video again even with the same version', async () => {
    const id = await publish('Refreshed');
    harness.data.metadata.set(id, metadataFor(id, [], ['fresh topic']));
    const refreshed = await replica.admin.RefreshVideo({ videoId: id });
    expect(refreshed).to.deep.include({ found: true, live: true });
    expect(refreshed.document).to.include('fresh topic');
    const status = await replica.admin.GetIndexStatus({});
    expect(status.mappingVersion).to.equal(6);
    expect(status.live).to.be.above(2);
    expect(await replica.metrics()).to.match(/vds_indexer_documents\{[^}]*state="live"[^}]*\} [1-9]/);
  });

  it('a replica has made queries of every kind before it is ready', async () => {
    const { lines } = await harness.start();
    const messages = lines.map(({ msg }) => msg);
    expect(messages).to.include('warmed up').and.not.include('warm-up call failed');
    expect(messages.indexOf('warmed up')).to.be.below(messages.indexOf('ready'));
  });
});
