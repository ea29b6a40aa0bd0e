/** Engines behind HTTP as the test wants them: quick, slow, away, or failing for one language. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '@vds/shared/testing/free-port';

/** One sentence with a name and a number, and a second one after a pause. */
const heard = ['Today', 'Rosalind', 'Franklin', 'scores', '24', 'points.', 'The', 'crowd', 'goes', 'wild.'];

/** `verbose_json` of the two sentences. */
const transcription = () => ({
  task: 'transcribe',
  language: 'english',
  text: heard.join(' '),
  words: heard.map((word, index) => {
    const start = index * 0.4 + (index >= 6 ? 1.5 : 0);
    return { word, start, end: start + 0.35 };
  }),
});

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

const say = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

/** What a server does; the test changes it while it runs. */
export type Manners = {
  /** Languages that can be translated to. */
  targets: readonly string[];
  /** Targets for which 400 is answered. */
  refused: readonly string[];
  /** Nothing is heard. */
  silent: boolean;
  /** Held until the test says so. */
  hold: Promise<void> | undefined;
};

type Calls = { speech: number; translations: string[] };

const answer = async (request: IncomingMessage, response: ServerResponse, manners: Manners, calls: Calls) => {
  const { url = '' } = request;
  if (url === '/languages')
    return say(
      response,
      200,
      ['en', ...manners.targets].map((code) => ({ code, name: code, targets: code === 'en' ? manners.targets : [] })),
    );
  const body = await read(request);
  if (url === '/v1/audio/transcriptions') calls.speech += 1;
  await manners.hold;
  if (url === '/v1/audio/transcriptions')
    return say(response, 200, manners.silent ? { language: 'english', text: '', words: [] } : transcription());
  const { q, target } = JSON.parse(body) as { q: string[]; target: string };
  calls.translations.push(target);
  if (manners.refused.includes(target)) return say(response, 400, { error: 'no' });
  return say(response, 200, { translatedText: q.map((sentence) => `${target}: ${sentence}`) });
};

/** Both contracts on one port; `stop` and `start` take it away and bring it back there. */
export const openEngineServer = async () => {
  const port = await freePort();
  const manners: Manners = { targets: ['es', 'pt', 'fr'], refused: [], silent: false, hold: undefined };
  const calls: Calls = { speech: 0, translations: [] };
  const server = createServer((request, response) => {
    answer(request, response, manners, calls).catch((error: unknown) => say(response, 500, { error: String(error) }));
  });
  const start = (): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await start();
  const url = `http://127.0.0.1:${port}`;
  return {
    manners,
    calls,
    start,
    stop,
    /** Variables that make a service use it. */
    settings: {
      SPEECH_ENGINE: 'openai',
      SPEECH_URL: `${url}/v1`,
      SPEECH_LANGUAGES: 'en',
      TRANSLATION_ENGINE: 'libretranslate',
      TRANSLATION_URL: url,
      CAPTION_LANGUAGES: 'en,es,pt,fr,de',
    },
  };
};
export type EngineServer = Awaited<ReturnType<typeof openEngineServer>>;
