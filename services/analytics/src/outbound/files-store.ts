/**
 * Events as files in a bucket, by organization and day, and plays once their events are not kept any more. Files are never changed: a merge writes a new one first, and
 * what it replaces is removed a quarter of an hour later; readers meanwhile see events twice, which the views allow for.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limitConcurrency } from '@vds/chassis/async';
import { withTransaction, type Pool } from '@vds/chassis/database/database';
import type { Objects } from '@vds/chassis/objects/objects';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import type { Logger } from '@vds/chassis/telemetry/log';
import { columns, videoColumns, type EventRow, type VideoTitle } from '../domain/event-row.ts';
import {
  dayOf,
  dayPrefix,
  fileKey,
  isAmong,
  noPlaysKey,
  organizationPrefix,
  playsKey,
  readKey,
  readPlaysKey,
  videosKey,
  type Days,
  type FileOf,
} from '../domain/object-keys.ts';
import { dialects } from '../domain/warehouse/dialects.ts';
import { partColumns } from '../domain/warehouse/plays.ts';
import { planMerges, type Merge, type StoredFile } from '../domain/plan-merges.ts';
import type { Computation, Rows } from './computation.ts';
import {
  computeOver,
  mergeFiles,
  mergeTitles,
  queryFiles,
  removeViewer,
  writePlays,
  type QueriedFiles,
  type QueryResult,
} from './duck-db.ts';
import { addReplaced, listReplaced, removeReplaced } from './replaced-files.ts';
import type { EventStore } from './store.ts';
import { writeParquet } from './write-parquet.ts';

type Options = {
  readonly pool: Pool;
  readonly objects: Objects;
  readonly log: Logger;
  readonly scratchDir: string;
  /** Of DuckDB. */
  readonly memoryBytes: number;
  /** How long events are kept. */
  readonly keepMs: number;
  /** How long a replaced file stays for its readers. */
  readonly replacedKeepMs: number;
  /** Milliseconds since the epoch; by default this machine's clock. */
  readonly now?: () => number;
};
/** `inTurn`: memory and room suffice for the files and the DuckDB of one at a time. */
type Deps = Required<Options> & { readonly inTurn: ReturnType<typeof limitConcurrency> };

/** Of a file's content, which names it. */
const DIGEST = 'sha256';
/** Of files that one computation copies. */
const COMPUTED_BYTES = 2 ** 31;
/** Queries, merges and computations that wait for their turn. */
const MAX_WAITING = 32;
/** Titles are named while others have their turn, as events wait for it: of it DuckDB has so many bytes. */
const TITLES_MEMORY = 2 ** 26;
const CONTENT = { contentType: 'application/vnd.apache.parquet' };

export function openFilesStore(options: Options): EventStore {
  const deps: Deps = { now: Date.now, ...options, inTurn: limitConcurrency(1, MAX_WAITING) };
  return {
    put: (rows) => put(deps, rows),
    name: async (videos) => {
      for (const [organizationId, named] of Map.groupBy(videos, (video) => video.organizationId))
        await nameVideos(deps, organizationId, named);
    },
    query: (organizationId, sql, days) => query(deps, organizationId, sql, days),
    organizations: (days) => organizationsOf(deps, days),
    dialect: dialects.duckdb,
    compute: (question, take) => compute(deps, question, take),
    deleteViewer: (organizationId, viewerId) => deleteViewer(deps, organizationId, viewerId),
    deleteOrganization: (organizationId) => deps.objects.removePrefix(organizationPrefix(organizationId)),
    compact: (signal) => compact(deps, signal),
  };
}

async function put({ objects }: Deps, rows: readonly EventRow[]): Promise<void> {
  const fileOf = (row: EventRow): FileOf => ({
    ...{ organizationId: row.organization_id ?? '', day: dayOf(row.received_at ?? new Date(0)) },
  });
  for (const group of Map.groupBy(rows, (row) => dayPrefix(fileOf(row))).values()) {
    const [first] = group;
    if (!first) continue;
    const bytes = writeParquet(columns, group);
    const digest = createHash(DIGEST).update(bytes).digest('hex');
    await objects.putBytes(fileKey(fileOf(first), 'batch', digest), bytes, CONTENT);
  }
}

/** One small file, written again: replicas do so one after the other, so that none takes back what another has stored. */
async function nameVideos(deps: Deps, organizationId: string, videos: readonly VideoTitle[]): Promise<void> {
  const { pool, objects } = deps;
  const key = videosKey(organizationId);
  await withTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
    await withCopies(deps, await titlesOf(deps, organizationId), async (scratch, paths) => {
      const [added, merged] = [join(scratch, 'added.parquet'), join(scratch, 'merged.parquet')];
      const rows = videos.map(({ videoId: video_id, title, version }) => ({ video_id, title, version }));
      await writeFile(added, writeParquet(videoColumns, rows));
      await mergeTitles({ scratch, memoryBytes: TITLES_MEMORY }, [...paths, added], merged);
      await objects.putFile(key, merged, CONTENT);
    });
  });
}

async function titlesOf({ objects }: Deps, organizationId: string): Promise<{ readonly key: string }[]> {
  const keys = await objects.list(videosKey(organizationId));
  return keys.map((key) => ({ key }));
}

/** Copies the files of these days alone. */
async function query(deps: Deps, organizationId: string, sql: string, days: Days): Promise<QueryResult> {
  const current = await currentFiles(deps, organizationPrefix(organizationId));
  const events = current.filter(({ key }) => isAmong(readKey(key)?.day ?? '', days));
  return withQueried(deps, { organizationId, days, events }, (scratch, copies) =>
    queryFiles({ scratch, memoryBytes: deps.memoryBytes }, copies, sql),
  );
}

type Queried = {
  readonly organizationId: string;
  readonly days: Days;
  readonly events: readonly Pick<StoredFile, 'key'>[];
};

/** Runs `work` in its turn on copies of events, with the plays of older ones and the titles. */
async function withQueried<T>(
  deps: Deps,
  { organizationId, days, events }: Queried,
  work: (scratch: string, copies: QueriedFiles) => Promise<T>,
): Promise<T> {
  const titles = await titlesOf(deps, organizationId);
  const kept = await deps.objects.list(`${organizationPrefix(organizationId)}plays/`);
  const plays = kept.flatMap((key) => (isAmong(readPlaysKey(key)?.day ?? '', days) ? [{ key }] : []));
  const starts = [0, titles.length, titles.length + plays.length];
  return withFiles(deps, [...titles, ...plays, ...events], (scratch, paths) =>
    work(scratch, {
      titles: paths.slice(starts[0], starts[1]),
      plays: paths.slice(starts[1], starts[2]),
      events: paths.slice(starts[2]),
    }),
  );
}

async function organizationsOf(deps: Deps, days: Days): Promise<readonly string[]> {
  const found = (await daysOf(deps)).filter(({ day }) => isAmong(day, days));
  return [...new Set(found.map(({ organizationId }) => organizationId))];
}

/** The latest days alone where all of them are too large to be copied. */
async function compute(deps: Deps, question: Computation, take: (statement: number, rows: Rows) => void) {
  const { organizationId, days, signal } = question;
  const current = await currentFiles(deps, organizationPrefix(organizationId));
  const asked = current.filter(({ key }) => isAmong(readKey(key)?.day ?? '', days));
  const chosen = latest(asked, COMPUTED_BYTES);
  if (chosen.length < asked.length)
    deps.log.warn({ organization_id: organizationId, files: asked.length }, 'computed from the latest days alone');
  signal.throwIfAborted();
  await withQueried(deps, { organizationId, days, events: chosen }, (scratch, copies) =>
    computeOver({ scratch, memoryBytes: deps.memoryBytes }, copies, question, take),
  );
}

function latest(files: readonly StoredFile[], maxBytes: number): readonly StoredFile[] {
  const dayOfFile = ({ key }: StoredFile): string => readKey(key)?.day ?? '';
  const newestFirst = files.toSorted((a, b) => dayOfFile(b).localeCompare(dayOfFile(a)));
  let left = maxBytes;
  return newestFirst.filter(({ bytes }) => (left -= bytes) >= 0);
}

/** The files of events, without those that were replaced. */
async function currentFiles({ objects, pool }: Deps, prefix: string): Promise<StoredFile[]> {
  const replaced = await listReplaced(pool, prefix);
  const listed = await objects.listDetails(prefix);
  return listed.filter(({ key }) => readKey(key) !== undefined && !replaced.has(key));
}

type WithFiles = <T>(
  deps: Deps,
  files: readonly Pick<StoredFile, 'key'>[],
  work: (scratch: string, paths: readonly string[]) => Promise<T>,
) => Promise<T>;

/** Runs `work` on local copies of files in its turn. @throws AppError UNAVAILABLE when too many wait */
const withFiles: WithFiles = (deps, files, work) => deps.inTurn(() => withCopies(deps, files, work));

/** Runs `work` on local copies of files. */
async function withCopies<T>(
  { objects, scratchDir }: Deps,
  files: readonly Pick<StoredFile, 'key'>[],
  work: (scratch: string, paths: readonly string[]) => Promise<T>,
): Promise<T> {
  return withScratch(scratchDir, 'analytics', async (scratch) => {
    const folder = join(scratch, 'files');
    await mkdir(folder);
    const paths: string[] = [];
    for (const [index, { key }] of files.entries()) {
      const path = join(folder, `${index}.parquet`);
      await objects.getToFile(key, path);
      paths.push(path);
    }
    return work(scratch, paths);
  });
}

async function compact(deps: Deps, signal: AbortSignal): Promise<void> {
  const { objects, log, keepMs } = deps;
  await removeReplaced(deps.pool, deps.replacedKeepMs, (key) => objects.removePrefix(key, (found) => found === key));
  const now = new Date(deps.now());
  const oldest = dayOf(new Date(now.getTime() - keepMs));
  const days = await daysOf(deps);
  for (const organizationId of new Set(days.map((day) => day.organizationId)))
    if (await objects.isEmpty(`${organizationPrefix(organizationId)}plays/`))
      await objects.putBytes(noPlaysKey(organizationId), writeParquet(partColumns, []), CONTENT);
  for (const day of days) {
    if (signal.aborted) return;
    if (day.day < oldest) {
      await keepPlays(deps, day);
      await objects.removePrefix(dayPrefix(day));
      log.info({ organization_id: day.organizationId, day: day.day }, 'events removed at the end of their time');
      continue;
    }
    for (const merge of planMerges(await currentFiles(deps, dayPrefix(day)), now)) {
      if (signal.aborted) return;
      await runMerge(deps, merge);
    }
  }
}

/** The plays of a day outlive its events. A run that was interrupted may have removed some of them: what it kept stays. */
async function keepPlays(deps: Deps, day: FileOf): Promise<void> {
  const key = playsKey(day);
  const [events, kept] = await Promise.all([currentFiles(deps, dayPrefix(day)), deps.objects.list(key)]);
  await withFiles(deps, [...kept.map((one) => ({ key: one })), ...events], async (scratch, paths) => {
    const target = join(scratch, 'plays.parquet');
    const copies = { plays: paths.slice(0, kept.length), events: paths.slice(kept.length) };
    await writePlays({ scratch, memoryBytes: deps.memoryBytes }, copies, target);
    await deps.objects.putFile(key, target, CONTENT);
  });
}

async function daysOf({ objects }: Deps): Promise<FileOf[]> {
  const days = new Map<string, FileOf>();
  for (const key of await objects.list('organization=')) {
    const file = readKey(key);
    if (file) days.set(dayPrefix(file), { organizationId: file.organizationId, day: file.day });
  }
  return [...days.values()];
}

async function runMerge(deps: Deps, { keys, ...file }: Merge): Promise<void> {
  const began = performance.now();
  let target = '';
  const bytes = await withFiles(
    deps,
    keys.map((key) => ({ key })),
    async (scratch, paths) => {
      const merged = join(scratch, 'merged.parquet');
      await mergeFiles({ scratch, memoryBytes: deps.memoryBytes }, paths, merged);
      const digest = createHash(DIGEST);
      for await (const chunk of createReadStream(merged)) digest.update(chunk as Buffer);
      target = fileKey(file, 'merged', digest.digest('hex'));
      await deps.objects.putFile(target, merged, CONTENT);
      return (await stat(merged)).size;
    },
  );
  // Where all others were empty, the merged file is one of those that it replaces.
  await addReplaced(
    deps.pool,
    keys.filter((key) => key !== target),
  );
  const seconds = (performance.now() - began) / 1_000;
  deps.log.info(
    { organization_id: file.organizationId, day: file.day, files: keys.length, bytes, seconds },
    'files merged',
  );
}

/**
 * Files with rows of the viewer are written again, each under its own key: a merge that was planned before reads what is
 * left, and nobody reads the old one any more. Returns how many rows there were.
 */
async function deleteViewer(deps: Deps, organizationId: string, viewerId: string): Promise<number> {
  const { objects, memoryBytes } = deps;
  let removed = 0;
  const done = new Set<string>();
  // A merge, or the plays that outlive a day's events, may have copied rows of the viewer meanwhile.
  for (let found = await left(); found.length > 0; found = await left())
    for (const key of found) {
      done.add(key);
      removed += await rewritten(key);
    }
  return removed;

  async function left(): Promise<string[]> {
    const listed = await objects.list(organizationPrefix(organizationId));
    return listed.filter((key) => !done.has(key) && (readKey(key) ?? readPlaysKey(key)));
  }
  function rewritten(key: string): Promise<number> {
    return withFiles(deps, [{ key }], async (scratch, [path = '']) => {
      const target = join(scratch, 'rewritten.parquet');
      const found = await removeViewer({ scratch, memoryBytes }, { path, target }, viewerId);
      if (found > 0) await objects.putFile(key, target, CONTENT);
      return found;
    });
  }
}
