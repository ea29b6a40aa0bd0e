/** Two replicas of the service with engines behind HTTP, and videos in which the engines transcribe two sentences. */
import { offerOf, startEngines, type Engines } from '@vds/testkit/engines/engines';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { asking, ask, lastWord, stateIn, type Asking } from './catalog.ts';
import { openHouse, type House, type Worker } from './harness.ts';
import { putRendition, silence } from './sounds.ts';

/** One sentence with a name and a number, and a second one after a pause. */
const said = 'Today Rosalind Franklin scores 24 points. The crowd goes wild.'.split(' ').map((text, index) => {
  const start = index * 0.4 + (index >= 6 ? 1.5 : 0);
  return { text, start, end: start + 0.35 };
});

/** German is one of the configured targets, but not one of the server's. */
const languages = ['en', 'es', 'pt', 'fr'];
const wanted = { SPEECH_LANGUAGES: 'en', CAPTION_LANGUAGES: 'en,es,pt,fr,de' };

/** Leases and waits short enough for a test. */
const quick = {
  WORK_LEASE: '2s',
  WORK_RENEW: '500ms',
  GARBAGE_AFTER: '1s',
  PURGE_AGAIN_AFTER: '1h',
  ENGINE_RETRY_DELAYS: '200ms',
  SURVEY_EVERY: '200ms',
  ENGINE_TRIES: '3',
  CHUNK_LENGTH: '12s',
};

/** The outcomes of a video's tracks where nothing fails. */
export const allMade = { ready: 4, 'skipped no_path': 1 };

function titlesOf(house: House, engines: Engines) {
  let rendition: Promise<string> | undefined;
  /** One rendition is enough for all videos: the engine server supplies the words. */
  const title = async (videoId = newVideoId()): Promise<Asking> =>
    asking(videoId, await (rendition ??= putRendition(house, newVideoId(), [silence(12)])));
  return {
    title,
    made: async () => {
      const asked = await title();
      await ask(house, asked);
      return { ...asked, state: stateIn(await lastWord(house, asked.videoId)) };
    },
    rows: async (table: string, videoId: string): Promise<number> =>
      (await house.pool.query(`SELECT 1 FROM ${table} WHERE video_id = $1`, [videoId])).rowCount ?? 0,
    /** Makes the server support these languages, until it is healed. */
    offer: (...codes: readonly string[]): void =>
      engines.trouble({ endpoint: 'languages', fault: { kind: 'instead', answer: offerOf(codes) } }),
  };
}

async function open() {
  const engines = await startEngines({ words: said, languages });
  const house = await openHouse({ ...engines.environment, ...wanted, ...quick });
  const workers = [await house.startWorker(), await house.startWorker()];
  return {
    house,
    engines,
    ...titlesOf(house, engines),
    /** Both replicas. */
    workers: (): readonly Worker[] => workers,
    /** Ends a replica and starts another in its place. */
    replace: async (index: number): Promise<Worker> => {
      await workers[index]?.stop();
      return (workers[index] = await house.startWorker());
    },
    /** Restarts what a test has killed. */
    refill: async (): Promise<void> => {
      for (const [index, { process: child }] of workers.entries())
        if (child.exitCode !== null || child.signalCode !== null) workers[index] = await house.startWorker();
    },
    close: async (): Promise<void> => {
      await house.close();
      await engines.close();
    },
  };
}
export type WithServers = Awaited<ReturnType<typeof open>>;

let opened: Promise<WithServers> | undefined;

/** One harness for every file of a run: opened at the first use, closed after the last test. */
export async function withServers(): Promise<WithServers> {
  const at = await (opened ??= open());
  await at.refill();
  return at;
}

// A test that fails half-way must not affect the next ones.
afterEach(async () => (await opened)?.engines.heal());
after(async function () {
  this.timeout(60_000);
  await (await opened)?.close();
});
