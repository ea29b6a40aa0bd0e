/**
 * Recommendations to the viewers of a simulated year (simulated-year.ts), by words alone and by all sources: analytics' own
 * SQL computes what is watched together from files of plays, the indexer's own modules answer from a real index.
 * `VDS_BENCH_VIEWERS` is the number of viewers of each part, 1,000 by default.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { computeCompanions, computeRecent } from '@vds/analytics/inbound/compute-behaviour';
import { columns, toRow, videoColumns, type EventRow } from '@vds/analytics/domain/event-row';
import { dayOf, isAmong } from '@vds/analytics/domain/object-keys';
import { dialects } from '@vds/analytics/domain/warehouse/dialects';
import { computeOver } from '@vds/analytics/outbound/duck-db';
import { writeParquet } from '@vds/analytics/outbound/write-parquet';
import type { Seed } from '@vds/indexer/domain/recommendation';
import { openCursors } from '@vds/indexer/outbound/cursors';
import { openRecommendations, type RecommendPage } from '@vds/indexer/outbound/recommendations';
import { events } from '@vds/proto/events';
import type { ItemOut } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import { install } from '@vds/testkit/programs/install';
import { step } from '@vds/testkit/servers/progress';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { down, status, up } from '@vds/testkit/servers/up';
import { documentFor, idOf, openBenchIndex, type BenchIndex } from '../indexer/bench-index.ts';
import { openWordsAlone } from './words-alone.ts';
import { HELD_OUT_DAYS, simulateYear, type SimulatedYear, type Watch } from './simulated-year.ts';

const DAY = 86_400_000;
const [LIMIT, OF_PUBLISHER, HISTORY] = [10, 2, 200];
const dir = stateFolder('servers');
type Case = { readonly viewer: number; readonly history: readonly Watch[]; readonly next: string };
type Answer = { readonly items: readonly ItemOut[]; readonly ms: number };

export async function benchRecommend(): Promise<void> {
  await install();
  const runs = status(dir).opensearch !== null;
  const { opensearch } = await step('servers', () => up(dir));
  if (opensearch === null) throw new Error('OpenSearch does not run');
  // The year goes on for four weeks after now, which is when recommendations are asked for.
  const now = Date.now();
  const year = await step('a simulated year', async () => simulateYear(now + HELD_OUT_DAYS * DAY));
  const index = await openBenchIndex(opensearch.url);
  try {
    await step('the index', () => writeVideos(index, year, now));
    await step('what is watched together', () => learn(index, year, now));
    const words = openWordsAlone({ search: index.search, alias: index.alias, halfLifeMs: 3 * DAY });
    const all = recommender(({ seen }) => index.discovery.recommend({ ...page, seen }));
    const none = { companions: async () => new Map() };
    const options = { search: index.search, alias: index.alias, cursors: openCursors('bench'), halfLifeMs: 3 * DAY };
    const openly = openRecommendations({ ...options, watched: none, vectors: undefined });
    const unviewed = recommender(({ seen }) => openly({ ...page, seen }));
    const everyone = casesOf(year, now);
    for (const [part, remainder] of [
      ['tune', 0],
      ['held out', 1],
    ] as const) {
      const cases = everyone.filter(({ viewer }) => viewer % 2 === remainder).slice(0, viewers());
      const before = await ask(cases, (history) =>
        words(
          history.slice(0, 50).map(({ video }) => idOf(video)),
          LIMIT,
        ),
      );
      const answers = {
        'words alone': before,
        'without views': await ask(cases, unviewed),
        'all sources': await ask(cases, all),
      };
      print(`${part}: ${cases.length} viewers`);
      const rates = Object.entries(answers).map(([name, of]) => report(name, cases, of));
      print(`  all sources ÷ words alone: ${((rates.at(-1) ?? 0) / (rates[0] ?? 1)).toFixed(2)}`);
    }
  } finally {
    await index.close();
    if (!runs) await down(dir, ['opensearch']);
  }
}

const page = { filters: {}, limit: LIMIT, cursor: '' };

function recommender(ask: (question: { readonly seen: readonly Seed[] }) => Promise<RecommendPage>) {
  return async (history: readonly Watch[]): Promise<readonly ItemOut[]> => {
    const { list } = await ask({ seen: history.map(({ video, share }) => ({ videoId: idOf(video), share })) });
    return list.map(({ item }) => item);
  };
}

async function writeVideos(index: BenchIndex, { videos }: SimulatedYear, now: number): Promise<void> {
  const documents = videos
    .filter(({ publishedAt }) => publishedAt <= now)
    .map(({ number, publisher, durationMs, publishedAt, made }) =>
      documentFor(number, { ...made, spoken: { [made.language]: made.spoken }, screen: [] }, new Date(publishedAt), {
        publisherId: publisher,
        durationMs,
      }),
    );
  for (let from = 0; from < documents.length; from += 500) await index.write(documents.slice(from, from + 500));
  await index.refresh();
}

/** As analytics does: its files of events, its SQL, its messages. */
async function learn(index: BenchIndex, { videos, watched }: SimulatedYear, now: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vds-bench-'));
  try {
    const titles = join(folder, 'videos.parquet');
    const rows = videos.map(({ number, made }) => ({ video_id: idOf(number), title: made.title, version: 1 }));
    await writeFile(titles, writeParquet(videoColumns, rows));
    const past = watched.filter(({ at }) => at <= now);
    const files: { day: string; path: string }[] = [];
    for (const [day, of] of Map.groupBy(past, ({ at }) => dayOf(new Date(at)))) {
      const path = join(folder, `${day}.parquet`);
      await writeFile(
        path,
        writeParquet(
          columns,
          of.map((watch) => rowOf(watch, videos)),
        ),
      );
      files.push({ day, path });
    }
    const store = {
      dialect: dialects.duckdb,
      organizations: async () => ['org_a'],
      compute: async (...[question, take]: Parameters<Parameters<typeof computeRecent>[0]['store']['compute']>) => {
        const paths = files.filter(({ day }) => isAmong(day, question.days)).map(({ path }) => path);
        const options = { scratch: folder, memoryBytes: 268_435_456 };
        await computeOver(options, { events: paths, plays: [], titles: [titles] }, question, take);
      },
    };
    const publish = async (_event: unknown, message: unknown): Promise<void> => {
      const bytes = events.videosWatched.encode(message as Parameters<typeof events.videosWatched.encode>[0]);
      await index.watched.write(events.videosWatched.decode(bytes));
    };
    const deps = { store, publish, log: { info: () => {}, warn: () => {} } };
    const { signal } = new AbortController();
    await computeCompanions(deps, now, signal);
    await computeRecent(deps, now, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowOf({ viewer, video, at, share }: Watch, videos: SimulatedYear['videos']): EventRow {
  const { durationMs = 0, publisher: publisherId = '' } = videos[video] ?? {};
  const [viewId, watchedMs] = [`${viewer}-${video}`, Math.round(share * durationMs)];
  return toRow(
    {
      ...{ eventId: `${viewId}-1`, viewId, playbackId: '', videoId: idOf(video), viewer: '', deviceId: '', source: '' },
      ...{ receivedAtMs: at, occurredAtMs: at, eventType: 'time', state: 'playing', errorCode: '', fatal: false },
      ...{ country: '', userAgent: '', watchedMs },
    },
    { organizationId: 'org_a', publisherId, durationMs },
    `viewer-${viewer}`,
    { type: '', os: '', browser: '' },
  );
}

/** Of each viewer what is known now, newest first, and what they watch next of what there is. */
function casesOf({ videos, watched }: SimulatedYear, now: number): Case[] {
  const cases = [...Map.groupBy(watched, ({ viewer }) => viewer)].flatMap(([viewer, of]): Case[] => {
    const history = of
      .filter(({ at }) => at <= now)
      .toReversed()
      .slice(0, HISTORY);
    const next = of.find(({ at, video }) => at > now && (videos[video]?.publishedAt ?? Infinity) <= now);
    return next && history.length > 0 ? [{ viewer, history, next: idOf(next.video) }] : [];
  });
  return cases.toSorted((a, b) => a.viewer - b.viewer);
}

async function ask(
  cases: readonly Case[],
  recommend: (history: readonly Watch[]) => Promise<readonly unknown[]>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { history } of cases) {
    const began = performance.now();
    const items = (await recommend(history)) as readonly ItemOut[];
    answers.push({ items, ms: performance.now() - began });
  }
  return answers;
}

/** Prints how an algorithm did; returns its hit rate. */
function report(name: string, cases: readonly Case[], answers: readonly Answer[]): number {
  const hits = cases.filter(({ next }, at) => answers[at]?.items.some(({ videoId }) => videoId === next)).length;
  const seen = cases.filter(({ history }, at) => {
    const known = new Set(history.map(({ video }) => idOf(video)));
    return answers[at]?.items.some(({ videoId }) => known.has(videoId));
  }).length;
  const crowded = answers.filter(({ items }) =>
    [...Map.groupBy(items, ({ publisherId }) => publisherId).values()].some(({ length }) => length > OF_PUBLISHER),
  ).length;
  const short = answers.filter(({ items }) => items.length < LIMIT).length;
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
  const rate = hits / cases.length;
  print(
    `  ${name.padEnd(12)} hit rate@10 ${(100 * rate).toFixed(2)} %   with a seen video ${seen}, more than ${OF_PUBLISHER} of a publisher ${crowded}, fewer than ${LIMIT} ${short}   p50 ${(times[Math.floor(times.length / 2)] ?? 0).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
  );
  return rate;
}

function viewers(): number {
  return Number(process.env['VDS_BENCH_VIEWERS'] ?? '1000');
}

function print(line: string): void {
  return void process.stdout.write(`${line}\n`);
}
