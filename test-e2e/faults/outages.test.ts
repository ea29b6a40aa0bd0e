/**
 * A dependency of a whole stack fails for ten minutes while videos are at every point of their life, and recovers: no
 * video fails, no try is spent, and work resumes by itself. Only in `npm run test:long`, with the times of production,
 * in stacks side by side, since they mostly wait; deploy/guide/outages.md lists the services' shorter ones.
 */
import { readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';
import type { ServiceName } from '@vds/deploy-tools/services';
import { overlay } from '@vds/testkit/environments';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import { jobCosts } from '@vds/testkit/harness/job-costs';
import { serveSlowly } from '@vds/testkit/origin/routes';
import { openProxies, type Proxies } from '@vds/testkit/servers/proxied';
import { readServers } from '@vds/testkit/servers/servers-file';
import { skipBecause } from '@vds/testkit/skip';
import { adminPools } from '@vds/testkit/stack/admin-pools';
import { addStreamAdmin } from '@vds/testkit/stack/stream-admin';
import { lasts, until } from '@vds/testkit/until';
import { spokenClip } from '../chaos/short-clips.ts';
import { appsOf } from '../harness/apps-client.ts';
import { openHost, type HostTarget } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { targetKind } from '../harness/target-kind.ts';
import { becomesReady, isAnsweredOnce } from '../harness/judge/whole-videos.ts';

const OUTAGE_MS = 600_000;
const CAP_MS = 300_000;
/** Submitted one after the other, so that each is at another point of its life. */
const VIDEOS = 8;
const SUBMIT_EVERY_MS = 1_500;
const FETCH_SECONDS = 4;
const workers = ['ingest', 'transcode', 'captions', 'metadata'] as const;

type Dependencies = { readonly proxies: Proxies; readonly engines: Engines };
type Outage = {
  readonly what: string;
  readonly begin: (dependencies: Dependencies) => unknown;
  readonly end: (dependencies: Dependencies) => unknown;
  /** Where the operator sees it: in readiness and metrics of a service, and in its log. */
  readonly service: ServiceName;
  readonly shows: RegExp;
  readonly logs: RegExp;
};

const outages: readonly Outage[] = [
  {
    what: 'object storage is silent',
    begin: ({ proxies }) => proxies.s3.dropResponses(),
    end: ({ proxies }) => proxies.s3.passNewConnections(), // the old ones stay silent
    service: 'ingest',
    shows: readyCheck('sources'),
    logs: /job failed/,
  },
  {
    what: 'object storage refuses connections',
    begin: ({ proxies }) => proxies.s3.refuse(),
    end: ({ proxies }) => proxies.s3.cut(),
    service: 'ingest',
    shows: readyCheck('sources'),
    logs: /job failed/,
  },
  {
    what: 'PostgreSQL refuses connections',
    begin: ({ proxies }) => proxies.postgres.refuse(),
    end: ({ proxies }) => proxies.postgres.cut(),
    service: 'transcode',
    shows: /"database":"(?!ok")/,
    logs: /claim failed/,
  },
  {
    what: 'NATS is silent',
    begin: ({ proxies }) => proxies.nats.dropResponses(),
    end: ({ proxies }) => proxies.nats.passNewConnections(),
    service: 'ingest',
    shows: readyCheck('bus'),
    logs: /disconnected from NATS/,
  },
  {
    what: 'OpenSearch refuses connections',
    begin: ({ proxies }) => proxies.opensearch.refuse(),
    end: ({ proxies }) => proxies.opensearch.cut(),
    // It stays ready: its callers are better off with UNAVAILABLE than without an answer.
    service: 'indexer',
    shows: /outcome="retried".*\} [1-9]/,
    logs: /message handler failed/,
  },
  {
    what: 'the engines refuse connections',
    begin: ({ engines }) => engines.close(),
    end: ({ engines }) => engines.reopen(),
    service: 'captions',
    shows: /"work":"failing"/,
    logs: /dependency unavailable: queue paused/,
  },
];

/** Those of production, which other tests of stacks shorten. */
const FULL_TIMES = '1';
const SOURCE_TIMES = 'sourceDelays=5s+20s+60s+180s+420s,headers=30s,idle=30s';

type Report = { readonly videos: number; readonly costs: Costs; readonly exits: readonly unknown[] };
type Costs = Awaited<ReturnType<typeof jobCosts>>;

describe('an outage of a dependency', () => {
  const reports = new Map<string, PromiseSettledResult<Report>>();
  before(async function () {
    this.timeout(OUTAGE_MS + 3 * CAP_MS);
    if (targetKind() !== 'host') skipBecause(this, 'needs proxies between the processes and their servers');
    if (process.env['VDS_LONG'] !== '1') skipBecause(this, 'takes a quarter of an hour: npm run test:long');
    await using open = new AsyncDisposableStack();
    const stacks: Awaited<ReturnType<typeof openOutage>>[] = [];
    for (const [index, outage] of outages.entries()) {
      const stack = await openOutage(outage, `away${'abcdef'[index]}`);
      open.defer(stack.close);
      stacks.push(stack);
    }
    const settled = await Promise.allSettled(stacks.map((stack) => stack.endure()));
    outages.forEach(({ what }, index) => reports.set(what, settled[index]!));
  });

  for (const { what } of outages)
    it(`an outage costs no video anything and ends by itself: ${what}`, () => {
      const report = reports.get(what);
      if (report?.status !== 'fulfilled') throw report?.reason ?? new Error('it was not seen');
      const { videos, costs, exits } = report.value;
      expect(videos).to.be.at.least(VIDEOS);
      expect(costs).to.deep.equal({ tries: 0, crashes: 0, failed: 0 });
      expect(new Set(exits)).to.deep.equal(new Set([0]));
    });
});

/** Readiness shows why the check fails, and its metric that it does. */
function readyCheck(name: string): RegExp {
  return new RegExp(`"${name}":"(?!ok")[^]*vds_check_passes\\{check="${name}".*\\} 0`);
}

/** A separate stack, behind its own proxies. */
async function openOutage(outage: Outage, suffix: string) {
  await using opened = new AsyncDisposableStack();
  const given = readServers();
  const { proxied, proxies, close } = await openProxies(given);
  opened.defer(close);
  const engines = await startEngines({ languages: ['en', 'es'] });
  opened.defer(engines.close);
  // Side by side: nats-server reserves the space of every stream, and PostgreSQL has 300 connections.
  const small = { NATS_STREAM_MAX_BYTES: String(2 ** 26), DATABASE_POOL_SIZE: '4' };
  const worker = { ...small, TIME_SCALE: `${FULL_TIMES},purgeAgain=15s` };
  const languages = { SPEECH_LANGUAGES: 'en', CAPTION_LANGUAGES: 'en,es' };
  const captions = overlay(worker, engines.environment, languages, { TIME_SCALE: 'garbageAfter=5s' });
  const target = await openHost({
    suffix,
    servers: proxied,
    env: {
      ...{ transcode: worker, metadata: worker, captions },
      ingest: overlay(worker, { TIME_SCALE: SOURCE_TIMES }),
      catalog: { ...small, TIME_SCALE: FULL_TIMES, DATABASE_RPC_POOL_SIZE: '3' },
      indexer: small,
    },
  });
  opened.defer(target.close);
  await addStreamAdmin(given, target.stack.name);
  const pools = adminPools(given, target.stack.name);
  opened.defer(pools.end);
  const stack = { target, pools, outage, dependencies: { proxies, engines } };
  const open = opened.move();
  return { endure: () => endure(stack), close: () => open.disposeAsync() };
}

type OutageStack = {
  readonly target: HostTarget;
  /** Not behind the proxies. */
  readonly pools: ReturnType<typeof adminPools>;
  readonly outage: Outage;
  readonly dependencies: Dependencies;
};

async function endure(stack: OutageStack): Promise<Report> {
  const { target, outage, dependencies } = stack;
  const { what, begin, end } = outage;
  const apps = appsOf(target.stack);
  const partner = await target.newPartner('Outages');
  const ids: string[] = [];
  for (let video = 0; video < VIDEOS; video++) {
    ids.push(await partner.submit(await sourceOf(target), { language_code: 'en' }));
    await lasts(SUBMIT_EVERY_MS);
  }
  const points = await pointsOfLife(stack);
  const found = async () => (await apps.search('test', { limit: 50 }).catch(() => ({ hits: [] }))).hits.length;
  const foundBefore = await found();
  let completed = 0;
  await begin(dependencies);
  try {
    // What the gateway accepts in the meantime counts too.
    await Promise.all([lasts(OUTAGE_MS), submitIfAccepted(target, partner, ids), isSeen(stack)]);
    completed = await completedWork(stack);
  } finally {
    await end(dependencies);
  }
  const from = performance.now();
  const goesOn = async () => (await completedWork(stack)) > completed || (await found()) > foundBefore;
  await until(goesOn, { what: `work resumes after ${what}`, capMs: CAP_MS });
  const seconds = ((performance.now() - from) / 1_000).toFixed(1);
  for (const id of ids) {
    await becomesReady(target, partner, apps, id);
    await isAnsweredOnce(target, id);
  }
  const costs = await costsOf(stack);
  await apps.close();
  console.log(`      ${what} for ${OUTAGE_MS / 1_000} s: ${ids.length} videos (${points}), ${JSON.stringify(costs)}`);
  console.log(`        work resumes after ${seconds} s`);
  const crashes = target.stack.processes.flatMap((one) => one.crash() ?? []);
  return { videos: ids.length, costs, exits: [...crashes, ...Object.values(await target.stack.stop())] };
}

/** A unique address that takes some seconds to fetch. */
async function sourceOf(target: HostTarget): Promise<string> {
  const path = `/outage-${Math.random().toString(36).slice(2)}.mp4`;
  const clip = await spokenClip();
  target.origin.route(path, serveSlowly(clip, statSync(clip).size / FETCH_SECONDS));
  return target.origin.url(path);
}

/** Submits a video, and adds it if it was accepted. */
async function submitIfAccepted(target: HostTarget, partner: Partner, ids: string[]): Promise<void> {
  const video = { source_url: await sourceOf(target), title: 'A test', language_code: 'en' };
  const answer = await partner.call<{ id: string }>('POST', '/v1/videos', video).catch(() => undefined); // away
  if (answer?.status === 202) ids.push(answer.body.id);
}

/** How many videos have reached which stage. */
async function pointsOfLife({ pools }: OutageStack): Promise<string> {
  const { rows } = await pools.of('catalog').query<{ stage: string; videos: number }>(
    `SELECT stage, count(*)::int AS videos FROM (
       SELECT DISTINCT ON (video_id) video_id, stage FROM stages ORDER BY video_id, requested_at DESC) latest
     GROUP BY stage ORDER BY stage`,
  );
  return rows.map(({ stage, videos }) => `${stage} ${videos}`).join(', ');
}

/** Waits until the operator sees it in readiness and metrics, and in the log. */
async function isSeen({ target, outage: { what, service, shows, logs } }: OutageStack): Promise<void> {
  const { adminUrl, logFile } = target.stack.process(service);
  const before = readFileSync(logFile, 'utf8').length;
  const page = async (path: string) => (await fetch(`${adminUrl}/${path}`)).text();
  const isShown = async () => shows.test(`${await page('readyz')}${await page('metrics')}`);
  await until(isShown, { what: `${service} shows that ${what}`, capMs: CAP_MS, everyMs: 500 });
  const isLogged = () => logs.test(readFileSync(logFile, 'utf8').slice(before));
  await until(isLogged, { what: `${service} logs that ${what}`, capMs: CAP_MS, everyMs: 500 });
}

/** A number that rises with every completed stage and every caption track. */
async function completedWork({ pools }: OutageStack): Promise<number> {
  const { rows } = await pools.of('catalog').query<{ completed: number }>(
    `SELECT (SELECT count(*) FROM stages WHERE state = 'completed')::int
       + (SELECT coalesce(sum(captions_revision), 0) FROM videos)::int AS completed`,
  );
  return rows[0]?.completed ?? 0;
}

async function costsOf({ pools }: OutageStack): Promise<Costs> {
  const each = await Promise.all(workers.map((service) => jobCosts(pools.of(service))));
  const sum = (cost: keyof Costs): number => each.reduce((all, one) => all + one[cost], 0);
  return { tries: sum('tries'), crashes: sum('crashes'), failed: sum('failed') };
}
