/** The service with engines behind HTTP, and titles that they hear two sentences in. */
import { asking, ask, lastWord, newId, stateIn, type Asking } from './catalog.ts';
import { openEngineServer, type EngineServer } from './engine-server.ts';
import { openHouse, type House } from './house.ts';
import { putRendition, silence } from './sounds.ts';

/** Leases and waits that a test can live with. */
const quick = {
  WORK_LEASE: '2s',
  WORK_RENEW: '500ms',
  TIDY_AFTER: '1s',
  PURGE_AGAIN_AFTER: '1h',
  ENGINE_RETRY_DELAYS: '200ms',
  SURVEY_EVERY: '200ms',
};

/** What becomes of a title where nothing goes wrong: German is none of the server's. */
export const allMade = { ready: 4, 'skipped no_path': 1 };

const titlesOf = (house: House, engines: EngineServer) => {
  let rendition: Promise<string> | undefined;
  /** One rendition is enough for all: its words are the engine server's. */
  const title = async (videoId = newId()): Promise<Asking> =>
    asking(videoId, await (rendition ??= putRendition(house, newId(), [silence(12)])));
  return {
    title,
    made: async () => {
      const asked = await title();
      await ask(house, asked);
      return { ...asked, state: stateIn(await lastWord(house, asked.videoId)) };
    },
    rows: async (table: string, videoId: string): Promise<number> =>
      (await house.pool.query(`SELECT 1 FROM ${table} WHERE video_id = $1`, [videoId])).rowCount ?? 0,
    /** Holds every call of an engine until what it returns is called. */
    holding: (): (() => void) => {
      const held = Promise.withResolvers<void>();
      engines.manners.hold = held.promise;
      return () => {
        engines.manners.hold = undefined;
        held.resolve();
      };
    },
  };
};

export const openWithServers = async (settings: Readonly<Record<string, string>> = {}) => {
  const engines = await openEngineServer();
  const house = await openHouse({ ...engines.settings, ...quick, ...settings });
  return {
    house,
    engines,
    ...titlesOf(house, engines),
    close: async (): Promise<void> => {
      await house.close();
      await engines.stop();
    },
  };
};
export type WithServers = Awaited<ReturnType<typeof openWithServers>>;
