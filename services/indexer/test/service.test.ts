/** The service as a process: what it hears becomes findable, in the order of versions and of nothing else. */
import { expect } from 'chai';
import { until } from '@vds/shared/testing/until';
import { openHouse, type House, type Replica } from './house.ts';
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

  const idsOf = async (query: string): Promise<string[]> =>
    (await replica.apps.Search({ query })).hits.map(({ item }) => item?.videoId ?? '');

  it('finds a word that was only spoken and one that was only on screen, with their seconds', async () => {
    const id = newId();
    const tracks = [
      await putTrack(house.bucket, id, 'en', [[1_000, 'Good evening.'], [61_500, 'What a marvellous backhand!']]),
      await putTrack(house.bucket, id, 'es', [[1_000, 'Buenas noches.'], [61_500, '¡Qué revés maravilloso!']]),
    ]; // prettier-ignore
    house.known.metadata.set(id, understood(id, [[83_000, 'SCOREBOARD 3-2']], ['final']));
    await house.say(id, house.known.publish(clip(id, { title: 'Match' }), tracks));
    const hit = await until(async () => (await replica.apps.Search({ query: 'backhands' })).hits[0], { what: 'found' });
    expect(hit.item?.videoId).to.equal(id);
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
});
