/** The service as a process: what it hears becomes findable, is hidden, comes back, and is gone for good. */
import { expect } from 'chai';
import { events } from '@vds/proto/events';
import { until } from '@vds/testkit/until';
import { openHouse, type House, type Replica } from './harness.ts';
import { clip, newId, putTrack, understood } from './videos.ts';

describe('the service', function () {
  this.timeout(60_000);
  let house: House;
  let replica: Replica;

  before(async () => {
    house = await openHouse();
    replica = await house.start();
  });
  after(() => house.close());

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
    await house.say(id, house.known.publish(clip(id, { title, sport: 'tennis' })));
    await until(() => found(title), { what: `${title} is found` });
    return id;
  };

  it('finds a word that was only spoken and one that was only on screen, with their seconds', async () => {
    const id = newId();
    const tracks = [
      await putTrack(house.bucket, id, 'en', [[1_000, 'Good evening.'], [61_500, 'What a marvellous backhand!']]),
      await putTrack(house.bucket, id, 'es', [[1_000, 'Buenas noches.'], [61_500, '¡Qué revés maravilloso!']]),
    ]; // prettier-ignore
    house.known.metadata.set(id, understood(id, [[83_000, 'SCOREBOARD 3-2']], ['final']));
    await house.say(id, house.known.publish(clip(id, { title: 'Match' }), tracks));
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

  it('hides an archived video from all three within 5 s, and brings a republished one back', async () => {
    const [seed, id] = [await publish('Seed of all'), await publish('Coming and going')];
    const is = async (wanted: boolean): Promise<boolean> =>
      (await inAll('Coming and going', seed)).every((one) => one === wanted);
    await until(() => is(true), { what: 'it is in all three' });
    const archived = performance.now();
    await house.say(id, house.known.hide(id));
    await until(() => is(false), { what: 'it is in none', everyMs: 10 });
    expect(performance.now() - archived).to.be.below(5_000);
    await house.say(id, house.known.publish(clip(id, { title: 'Coming and going', sport: 'tennis' })));
    await until(() => is(true), { what: 'it is back' });
  });

  it('never shows a video that was archived before it was ready', async () => {
    const id = newId();
    house.known.publish(clip(id, { title: 'Unborn' }));
    await house.say(id, 1);
    house.known.hide(id);
    const shown: boolean[] = [];
    const last = await publish('After the unborn');
    for (let at = 0; at < 20; at += 1) shown.push(await found('Unborn'));
    expect(shown).to.not.include(true);
    expect((await replica.staff.ShowVideo({ videoId: last })).live).to.equal(true);
  });

  it('leaves nothing but a tombstone of a removed video, then says so', async () => {
    const id = await publish('To be removed');
    const version = house.known.hide(id, 'VIDEO_STATE_DELETED');
    const ask = { videoId: id, scope: 'PURGE_SCOPE_VIDEO' as const, keepAttempt: 0 };
    await house.bus.publish(events.purgeRequested, { ...ask, owners: ['captions'] }, `${id}-others`);
    await house.bus.publish(events.purgeRequested, { ...ask, owners: ['indexer'] }, `${id}-1`);
    await until(() => house.purged.includes(`${id} PURGE_SCOPE_VIDEO`), { what: 'it is said' });
    const left = await replica.staff.ShowVideo({ videoId: id });
    expect(left).to.deep.include({ found: true, live: false, version });
    expect(Object.keys(JSON.parse(left.document) as object)).to.have.members(['video_id', 'live', 'changed_at']);
    expect(await found('To be removed')).to.equal(false);
    await house.bus.publish(events.purgeRequested, { ...ask, owners: ['indexer'] }, `${id}-2`);
    await until(() => house.purged.filter((said) => said.startsWith(id)).length === 2, { what: 'it is said again' });
    await house.say(id, 1); // an old fact that comes late
    await house.say(await publish('After removal'), 1);
    expect((await replica.staff.ShowVideo({ videoId: id })).live).to.equal(false);
    expect(house.purged.filter((said) => said.startsWith(id))).to.have.length(2); // none for the other's request
  });

  it('writes a video whose tracks are not there, or are no tracks, without them', async () => {
    const id = newId();
    const track = await putTrack(house.bucket, id, 'en', [[0, 'lost words']]);
    await house.bucket.client.putObject(house.bucket.bucket, `videos/${id}/1/bad/track.json`, '{"sentences": 7}');
    const tracks = [
      { ...track, textKey: `${track.textKey}.gone` },
      { ...track, language: 'es', textKey: `videos/${id}/1/bad/track.json` },
    ];
    await house.say(id, house.known.publish(clip(id, { title: 'Trackless' }), tracks));
    await until(() => found('Trackless'), { what: 'it is found' });
    expect(await found('lost words')).to.equal(false);
  });

  it('writes what no message told of', async () => {
    const quiet = await house.start({ SWEEP_EVERY: '200ms' });
    const id = newId();
    house.known.publish(clip(id, { title: 'Unannounced' }));
    await until(() => found('Unannounced'), { what: 'it is found' });
    house.known.hide(id);
    await until(async () => !(await found('Unannounced')), { what: 'it is hidden' });
    expect(await quiet.end()).to.equal(0);
  });

  it('reads a video anew on demand, even where its version is the same', async () => {
    const id = await publish('Refreshed');
    house.known.metadata.set(id, understood(id, [], ['fresh topic']));
    const refreshed = await replica.staff.RefreshVideo({ videoId: id });
    expect(refreshed).to.deep.include({ found: true, live: true });
    expect(refreshed.document).to.include('fresh topic');
    const status = await replica.staff.GetIndexStatus({});
    expect(status.mappingVersion).to.equal(1);
    expect(status.live).to.be.above(2);
    expect(await replica.metrics()).to.match(/vds_indexer_documents\{[^}]*state="live"[^}]*\} [1-9]/);
  });
});
