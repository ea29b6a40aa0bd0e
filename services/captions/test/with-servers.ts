/** Two replicas of the service with engines behind HTTP, and videos in which the engines transcribe two sentences. */
import { offerOf, startEngines, type Engines } from '@vds/testkit/engines/engines';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { requestFor, publishRequest, terminalEvent, stateOf, type CaptionsRequest } from './catalog.ts';
import { openHarness, type Harness, type Worker } from './harness.ts';
import { putRendition, silence } from './sounds.ts';

/** One sentence with a name and a number, and a second one after a pause. */
const spokenWords = 'Today Rosalind Franklin scores 24 points. The crowd goes wild.'.split(' ').map((text, index) => {
  const start = index * 0.4 + (index >= 6 ? 1.5 : 0);
  return { text, start, end: start + 0.35 };
});

/** German is one of the configured targets, but not one of the server's. */
const languages = ['en', 'es', 'pt', 'fr'];
const configured = { SPEECH_LANGUAGES: 'en', CAPTION_LANGUAGES: 'en,es,pt,fr,de' };

const OUTAGES = 'retryDelays=200ms,surveyEvery=200ms,dependencyLimit=1s,missingLimit=1s';

/** Leases and waits short enough for a test. */
const shortTimeouts = {
  TIME_SCALE: `0.03,${OUTAGES},garbageAfter=1s,purgeAgain=1h,chunk=12s`,
};

/** The outcomes of a video's tracks where nothing fails. */
export const usualOutcome = { ready: 4, 'skipped no_path': 1 };

function requestsOf(harness: Harness, engines: Engines) {
  let rendition: Promise<string> | undefined;
  /** One rendition is enough for all videos: the engine server supplies the words. */
  const newRequest = async (videoId = newVideoId()): Promise<CaptionsRequest> =>
    requestFor(videoId, await (rendition ??= putRendition(harness, newVideoId(), [silence(12)])));
  return {
    newRequest,
    makeCaptions: async () => {
      const request = await newRequest();
      await publishRequest(harness, request);
      return { ...request, state: stateOf(await terminalEvent(harness, request.videoId)) };
    },
    rows: async (table: string, videoId: string): Promise<number> =>
      (await harness.pool.query(`SELECT 1 FROM ${table} WHERE video_id = $1`, [videoId])).rowCount ?? 0,
    /** Makes the server support these languages, until it is healed. */
    offer: (...codes: readonly string[]): void =>
      engines.trouble({ endpoint: 'languages', fault: { kind: 'instead', answer: offerOf(codes) } }),
  };
}

async function open() {
  const engines = await startEngines({ words: spokenWords, languages });
  const harness = await openHarness({ ...engines.environment, ...configured, ...shortTimeouts });
  const workers = [await harness.startWorker(), await harness.startWorker()];
  return {
    harness,
    engines,
    ...requestsOf(harness, engines),
    /** Both replicas. */
    workers: (): readonly Worker[] => workers,
    /** Ends a replica and starts another in its place. */
    replace: async (index: number): Promise<Worker> => {
      await workers[index]?.stop();
      return (workers[index] = await harness.startWorker());
    },
    /** Restarts what a test has killed. */
    refill: async (): Promise<void> => {
      for (const [index, { process: child }] of workers.entries())
        if (child.exitCode !== null || child.signalCode !== null) workers[index] = await harness.startWorker();
    },
    close: async (): Promise<void> => {
      await harness.close();
      await engines.close();
    },
  };
}
export type WithServers = Awaited<ReturnType<typeof open>>;

let opened: Promise<WithServers> | undefined;

/** One harness for every file of a run: opened at the first use, closed after the last test. */
export async function withServers(): Promise<WithServers> {
  const setup = await (opened ??= open());
  await setup.refill();
  return setup;
}

// A test that fails half-way must not affect the next ones.
afterEach(async () => (await opened)?.engines.heal());
after(async function () {
  this.timeout(60_000);
  await (await opened)?.close();
});
