/** A video of many hours in languages that share a field: more text in one field than the highlighter would analyze. */
import { expect } from 'chai';
import { openTestIndex, type TestIndex } from './test-index.ts';
import { clip, newId, type Line } from './videos.ts';

const hours: readonly Line[] = Array.from({ length: 3_000 }, (_none, at) => [
  at * 4_000,
  `sentence ${at.toString(36)} of a very long match that goes on and on, with words such as w${at} and not many others at all`,
]);
const ends: Line = [12_000_000, 'the goalkeeper saves brilliantly in extra time'];

describe('a video whose tracks are very long', function () {
  this.timeout(60_000);
  let testIndex: TestIndex;
  before(async () => {
    testIndex = await openTestIndex();
    const track = [...hours, ends];
    const spoken = Object.fromEntries(['oc', 'an', 'ast', 'sc', 'eo', 'frp'].map((language) => [language, track]));
    await testIndex.put({ clip: clip(newId(), { title: 'Long', languageCode: 'oc' }), spoken });
  });
  after(() => testIndex.close());

  for (const query of ['goalkeeper', 'goalkeeper saves brilliantly', 'goalkeper', 'goalkepr brilliantl extra'])
    it(`a video with very long tracks is found by "${query}", with the second`, async () => {
      const { hits } = await testIndex.find(query);
      expect(hits).to.have.length(1);
      expect(hits[0]?.snippets.map(({ atMs }) => atMs)).to.include(12_000_000);
    });
});
