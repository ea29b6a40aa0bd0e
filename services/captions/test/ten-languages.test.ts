/** Clips in languages of which English is none, by the embedded engines: what is spoken, English, and all translations. */
import { expect } from 'chai';
import { speak } from '@vds/testkit/media/speak';
import { readServers } from '@vds/testkit/servers/servers-file';
import { skipBecause } from '@vds/testkit/skip';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { publishRequest, requestFor, stateOf, terminalEvent } from './catalog.ts';
import { withAdminClient } from './clients.ts';
import { openHarness, type Harness, type Worker } from './harness.ts';
import { putRendition, silence } from './sounds.ts';

const clips: Readonly<Record<string, string>> = {
  es: 'El portero para el balón en el último minuto del partido. El público aplaude en el estadio.',
  ko: '오늘 서울에서 축구 경기가 시작됐습니다. 우리 팀이 두 골을 넣고 이겼습니다.',
  de: 'Der Torwart hält den Ball in der letzten Minute des Spiels. Das Publikum im Stadion jubelt.',
  fr: 'Le gardien arrête le ballon à la dernière minute du match. Le public applaudit dans le stade.',
  pt: 'O goleiro defende a bola no último minuto do jogo. O público aplaude no estádio.',
  it: 'Il portiere para il pallone nell’ultimo minuto della partita. Il pubblico applaude nello stadio.',
  nl: 'De keeper stopt de bal in de laatste minuut van de wedstrijd. Het publiek juicht in het stadion.',
  ru: 'Сегодня в Москве идёт футбольный матч. Наша команда выиграла два матча.',
  pl: 'Bramkarz łapie piłkę w ostatniej minucie meczu. Publiczność na stadionie klaszcze.',
  ar: 'حارس المرمى يمسك الكرة في الدقيقة الأخيرة من المباراة. الجمهور يصفق في الملعب.',
};
/** The others take minutes. */
const usual = ['ko'];

const { speechPython, speechModel, apertium } = readServers();

describe('captions of ten languages', function () {
  this.timeout(300_000);
  let harness: Harness;
  let worker: Worker;
  before(async function () {
    if (speechPython === null || speechModel === null) skipBecause(this, 'no Whisper is here');
    if (apertium === null) skipBecause(this, 'apertium is not here');
    harness = await openHarness({ TRANSLATE_SLOTS: '4' });
    worker = await harness.startWorker();
  });
  after(() => harness?.close());

  const caption = async (languageCode: string, path: string) => {
    const sources = [silence(1), `amovie=${path}`, silence(1)];
    const key = await putRendition(harness, newVideoId(), sources);
    const request = requestFor(newVideoId(), key, { languageCode, durationMs: 14_000 });
    await publishRequest(harness, request);
    return stateOf(await terminalEvent(harness, request.videoId, 240_000));
  };

  for (const [language, text] of Object.entries(clips))
    it(`a clip in '${language}' gets its own captions, English ones, and every language that a route leads to`, async function () {
      if (process.env['VDS_LONG'] !== '1' && !usual.includes(language)) skipBecause(this, 'VDS_LONG=1 runs it');
      const path = (await speak(language, text)) ?? skipBecause(this, `no voice speaks '${language}' here`);
      const state = await caption(language, path);
      const { routes } = await withAdminClient(worker, (client) => client.ListLanguages({}));
      const reached = routes.filter((route) => route.source === language && route.path?.length !== 0);
      const ready = state.tracks.filter(({ status }) => status === 'ready').map((track) => track.language);
      expect(ready).to.deep.equal([language, ...reached.map(({ target }) => target)]);
      const english = state.tracks.find((track) => track.language === 'en') ?? expect.fail('no English');
      expect(await harness.read(english.textKey ?? '')).to.match(/[a-z]{3} [a-z]/);
      expect(ready.length).to.be.at.least(15);
    });
});
