/** The partner's names on their way: from the request to the speech server, into the cues, and through the translation. */
import { expect } from 'chai';
import { startEngines } from '@vds/testkit/engines/engines';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { publishRequest, requestFor, stateOf, terminalEvent } from './catalog.ts';
import { openHarness } from './harness.ts';
import { putRendition, silence } from './sounds.ts';

const spoken = 'Gleich trifft Florian Wirtz das Tor.'.split(' ');
const words = spoken.map((text, index) => ({ text, start: 1 + index * 0.5, end: 1.4 + index * 0.5 }));

describe('names of the partner', function () {
  this.timeout(90_000);

  it('names of title, tags and earlier titles are the prompt of the speech server, and are not translated', async () => {
    const engines = await startEngines({ words, languages: ['de', 'es'] });
    const languages = { SPEECH_LANGUAGES: 'de', CAPTION_LANGUAGES: 'es' };
    const harness = await openHarness({ ...engines.environment, ...languages });
    try {
      await harness.startWorker();
      const key = await putRendition(harness, newVideoId(), [silence(6)]);
      const texts = {
        title: 'Der Torwart gegen Florian Wirtz',
        tags: ['VfB Stuttgart'],
        earlierTitles: ['Mit Deniz Undav'],
      };
      const request = requestFor(newVideoId(), key, { languageCode: 'de', durationMs: 6_000, ...texts });
      await publishRequest(harness, request);
      const { tracks } = stateOf(await terminalEvent(harness, request.videoId));
      const calls = engines.calls();
      const prompts = calls.filter(({ endpoint }) => endpoint === 'speech').map(({ fields }) => fields['prompt']);
      expect(prompts).to.deep.equal([['Deniz Undav, Florian Wirtz, VfB Stuttgart']]);
      const sent = calls.filter(({ endpoint }) => endpoint === 'translation').map(({ fields }) => fields['q']);
      expect(JSON.stringify(sent)).to.include('Gleich trifft Qzaq das Tor.');
      const spanish = tracks.find(({ language }) => language === 'es')?.textKey ?? expect.fail('no Spanish');
      expect(await harness.read(spanish)).to.include('[es] Gleich trifft Florian Wirtz das Tor.');
    } finally {
      await harness.close();
      await engines.close();
    }
  });
});
