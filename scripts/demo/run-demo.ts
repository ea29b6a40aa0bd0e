/** The main job, step by step, from nothing to playing videos. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@vds/chassis/errors';
import type { ServiceName } from '@vds/deploy-tools/services';
import { readServers, type Servers } from '@vds/testkit/servers/servers-file';
import { operatorOf, type Operator } from '@vds/testkit/stack/operator';
import type { Partner } from '@vds/testkit/stack/partner';
import { engineVariables } from '@vds/testkit/stack/environment';
import { startStack, type Stack } from '@vds/testkit/stack/start-stack';
import { ENGINE_PARTS, STACK_PARTS, install, type Part } from '@vds/testkit/programs/install';
import { installedEngines } from '@vds/testkit/programs/language-tools';
import { secondsSince } from '@vds/testkit/servers/progress';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { down, up, USUAL_SERVERS } from '@vds/testkit/servers/up';
import type { DemoArguments } from './arguments.ts';
import { checkTracks, findInFeed, findSimilar, findWord, settledTracks } from './check-discovery.ts';
import { checkPlayback } from './check-playback.ts';
import { claimDemo } from './claim-demo.ts';
import { awaitedLater, makeClips } from './clips.ts';
import { captionsOf } from './describe-record.ts';
import { openPages, type Pages } from './open-pages.ts';
import { describePlays, playOf } from './performance-data.ts';
import { openPartner, submitVideo, untilReady, type Published, type Submitted } from './publish-video.ts';
import type { Screen } from './screen.ts';
import { openSource, type DemoSource } from './source.ts';
import { summaryOf } from './summary.ts';

export type DemoDeps = {
  readonly screen: Screen;
  readonly signal: AbortSignal;
  /** Reverts a step at the end of the demo, in reverse order. */
  readonly undo: (what: string, work: () => Promise<unknown>) => void;
};

/** A running stack and the partner whose videos it processes. */
type Session = {
  readonly stack: Stack;
  readonly operator: Operator;
  readonly partner: Partner;
  readonly key: string;
  /** Settles when captions runs. */
  readonly captions: Promise<void>;
};

/** Submitted videos; `ready` settles when the processing of each ends. */
type Followed = readonly (Submitted & { readonly ready: Promise<Published> })[];

const dir = stateFolder('demo');
/** Separates the demo from other stacks on the same servers. */
const STACK = 'demo';
/** How often the demo looks for new views, and how long one must be silent to be shown. */
const LOOK_AT_VIEWS_MS = 5_000;
const RESTING_MS = 15_000;
/** The services of a POST; the others start while the videos are on their way. */
const FIRST: ServiceName[] = ['auth', 'catalog', 'gateway'];
/** Starts when its engines are installed; the tracks attach to videos that are ready by then. */
const LAST = 'captions';

/** Runs the demo until its end: with `once` after everything was checked, else when the signal aborts. */
export async function runDemo(wanted: DemoArguments, deps: DemoDeps): Promise<void> {
  const from = performance.now();
  const { screen, signal, undo } = deps;
  const release = claimDemo(dir);
  undo('claim', async () => release());
  const isOurs = wanted.source.kind === 'clips';
  const parts = STACK_PARTS.filter((part) => !ENGINE_PARTS.includes(part));
  const installed = screen.task('programs', () => install(isOurs ? [...parts, 'voices'] : parts));
  const engines = awaitedLater(install(enginesOf(wanted)));
  const clips = isOurs ? makeClips(installed) : [];
  await installed;
  const servers = await openServers(deps);
  signal.throwIfAborted();
  const source = await openSource(wanted, clips);
  undo('HTTPS server', source.close);
  const stack = await openStack(servers, source, deps, wanted.engines);
  const operator = operatorOf(stack);
  undo('connections', operator.close);
  const account = await openPartner(operator, stack.url('gateway'));
  const names = stack.processes.map(({ name }) => name).filter((name) => name !== LAST);
  const whole = awaitedLater(
    screen.task(
      'the other services',
      () => stack.whole,
      () => `services: ${names.join(', ')}`,
    ),
  );
  const captions = awaitedLater(startCaptions(stack, wanted, Promise.all([engines, whole]), deps));
  const session: Session = { stack, operator, ...account, captions };

  const follow = async (): Promise<Followed> => {
    const submitted = await submitAll(source, session, deps);
    return submitted.map((one) => ({ ...one, ready: awaitedLater(untilReady(one, { ...session, screen, signal })) }));
  };
  // A service that does not start ends the demo at once.
  const [followed] = await Promise.all([follow(), whole]);
  const run = async (): Promise<void> => {
    if (!wanted.once) return await present(followed, session, deps);
    await checkAll(await Promise.all(followed.map(({ ready }) => ready)), session, deps);
    screen.line(`✓ the whole demo (${secondsSince(from)})`);
  };
  await Promise.race([run(), captions.then(() => new Promise<never>(() => undefined))]);
}

/** The embedded engines that captions will use. */
function enginesOf({ engines }: DemoArguments): Part[] {
  return ENGINE_PARTS.filter((part) => engines[`${part.toUpperCase()}_ENGINE`] === undefined);
}

/** Starts captions once `prepared`, which includes its database. */
async function startCaptions(
  stack: Stack,
  { engines }: DemoArguments,
  prepared: Promise<unknown>,
  { screen, signal }: DemoDeps,
): Promise<void> {
  await screen.task('speech and translation', async () => {
    await prepared;
    signal.throwIfAborted();
    const captions = stack.process(LAST);
    captions.start({ ...engineVariables(installedEngines()), ...engines });
    await captions.ready();
  });
}

async function openServers({ screen, undo }: DemoDeps): Promise<Servers> {
  const file = process.env['VDS_SERVERS'];
  if (file !== undefined) return readServers(file);
  const folder = join(dir, 'servers');
  undo('servers', () => down(folder));
  return await screen.task(`servers: ${USUAL_SERVERS.join(', ')}`, () => up(folder, { searchLater: true }));
}

async function openStack(
  servers: Servers,
  source: DemoSource,
  { screen, undo }: DemoDeps,
  engines: DemoArguments['engines'],
): Promise<Stack> {
  const folder = join(dir, 'stack');
  const { SOURCE_CA_FILE, DNS_SERVERS, PRIVATE_SOURCES } = source.environment;
  const env =
    SOURCE_CA_FILE === undefined || DNS_SERVERS === undefined || PRIVATE_SOURCES === undefined
      ? {}
      : { gateway: { PRIVATE_SOURCES }, ingest: { SOURCE_CA_FILE, DNS_SERVERS, PRIVATE_SOURCES } };
  // A video is shown once it plays; its captions attach when they are there.
  const catalog = { TIME_SCALE: 'minAwait=1s' };
  const start = () =>
    startStack({
      dir: folder,
      servers,
      name: STACK,
      env: { ...env, captions: engines, catalog, analytics: { TIME_SCALE: 'flushEvery=2s' } },
      first: FIRST,
      held: [LAST],
    });
  const stack = await screen.task('the first services', start, () => null);
  // Removes data directly instead of calling the services: Ctrl-C reaches them too, and the next demo starts clean.
  undo('services, with all they stored', stack.remove);
  return stack;
}

/** A POST for each video, as soon as it is ready to submit. */
async function submitAll({ videos }: DemoSource, { partner }: Session, { screen }: DemoDeps): Promise<Submitted[]> {
  const submit = async (one: DemoSource['videos'][number]): Promise<Submitted> => {
    const video = await one;
    const { id, message } = await submitVideo(video, partner);
    screen.detail(`POST /v1/videos ${video.submission.source_url}: ${id}: ${message}`);
    return { id, video };
  };
  return await screen.task(
    videos.length > 1 ? 'making the clips' : 'POST',
    () => Promise.all(videos.map(submit)),
    () => null,
  );
}

/**
 * Shows the first video that is ready, then the outcome of the others and of the captions; ends when the signal aborts.
 * Throws if no video becomes ready.
 */
async function present(followed: Followed, session: Session, deps: DemoDeps): Promise<void> {
  const { screen, signal, undo } = deps;
  const { stack, operator, partner, key } = session;
  const ready = followed.map((one) => one.ready);
  const outcomes = Promise.allSettled(ready);
  const first = await Promise.any(ready).catch((error: unknown) => {
    throw error instanceof AggregateError ? error.errors[0] : error;
  });
  const videos = [first.id, ...followed.map(({ id }) => id).filter((id) => id !== first.id)];
  const pages = await openPages({ stack, operator, partner, videos });
  undo('pages', pages.close);
  for (const warning of isOwn(first) ? (first.record.source_warnings ?? []) : []) screen.line(`  ${warning.message}`);
  const words = followed.flatMap(({ video }) => video.words.map(({ word }) => word));
  screen.result(summaryOf({ pages: pages.url, gateway: stack.url('gateway'), key, videoId: first.id, words }));
  for (const outcome of await outcomes)
    if (outcome.status === 'rejected' && !signal.aborted) screen.line(`✗ ${messageOf(outcome.reason)}`);
  await showCaptions(await published(outcomes), session, deps).catch((error: unknown) => {
    if (!signal.aborted) screen.line(`✗ ${messageOf(error)}`);
  });
  await showPlays(pages, deps);
}

/** One line for each view that has come to a rest, until the signal aborts. */
async function showPlays({ performance: views }: Pages, { screen, signal }: DemoDeps): Promise<void> {
  const shown = new Set<string>();
  while (!signal.aborted) {
    // Ends by rejection: the signal aborts the pause.
    await pause(LOOK_AT_VIEWS_MS, undefined, { signal }).catch(() => undefined);
    const { plays } = await views.read().catch(() => ({ plays: [] })); // the next look may succeed
    const resting = plays.filter(({ ended_at: end }) => Date.now() - Date.parse(`${String(end)}Z`) > RESTING_MS);
    for (const line of describePlays(resting, shown)) screen.line(`  ${line}`);
    for (const play of resting) shown.add(playOf(play));
  }
}

async function published(outcomes: Promise<PromiseSettledResult<Published>[]>): Promise<Published[]> {
  return (await outcomes).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** One line about the captions of all videos, when their last track has come to its end. */
async function showCaptions(
  videos: readonly Published[],
  { partner, captions }: Session,
  { screen, signal }: DemoDeps,
): Promise<void> {
  await captions;
  const describe = async ({ id, video }: Published): Promise<string> => {
    const text = captionsOf(await settledTracks(() => partner.read(id), { signal }));
    return videos.length > 1 ? `${video.label}: ${text}` : text;
  };
  const all = () => Promise.all(videos.map(describe));
  await screen.task('captions', all, (texts) => texts.join('\n  '));
}

function isOwn({ video }: Submitted): boolean {
  return video.readyTracks === undefined;
}

/** Everything that `--once` promises. */
async function checkAll(videos: readonly Published[], session: Session, deps: DemoDeps): Promise<void> {
  const { screen, undo } = deps;
  const [main] = videos;
  if (main === undefined) throw new Error('There is no video.');
  const { stack, operator, partner } = session;
  const pages: Pages = await openPages({ stack, operator, partner, videos: videos.map(({ id }) => id) });
  undo('pages', pages.close);
  for (const { record } of videos) screen.detail(JSON.stringify(record, null, 2));
  await checkPlayback(main.record, { operator, pages, screen });
  await checkCaptions(videos, session, deps);
  await checkDiscovery(videos, pages, deps);
}

async function checkCaptions(
  videos: readonly Published[],
  { partner, captions }: Session,
  { screen, signal }: DemoDeps,
): Promise<void> {
  await captions;
  const check = async ({ id, video }: Published): Promise<string> => {
    const tracks = await settledTracks(() => partner.read(id), { signal });
    for (const { language, kind, status, reason } of tracks)
      screen.detail(`  ${language.padEnd(12)} ${kind.padEnd(10)} ${status}${reason ? `: ${reason}` : ''}`);
    return video.readyTracks === undefined ? captionsOf(tracks) : checkTracks(video.label, tracks, video.readyTracks);
  };
  const all = () => Promise.all(videos.map(check));
  await screen.task('captions', all, (texts) => (videos.some(isOwn) ? texts.join() : `captions: ${texts.join(', ')}`));
}

/** Searches, reads the feed and asks for recommendations like viewers. */
async function checkDiscovery(
  videos: readonly Published[],
  { discovery }: Pages,
  { screen, signal }: DemoDeps,
): Promise<void> {
  const check = async (what: string, work: () => Promise<string>): Promise<string> =>
    await screen.task(what, work, (text) => text);
  for (const { id, video } of videos)
    for (const word of video.words)
      await check(`search “${word.word}”`, () => findWord(discovery, bare(id), word, { signal }));
  const ids = videos.map(({ id }) => bare(id));
  const [first] = videos;
  const sport = videos.length === 1 ? (first?.video.submission.sport ?? undefined) : undefined;
  await check('feed', () => findInFeed(discovery, ids, { sport, signal }));
  if (first !== undefined && videos.length > 1)
    await check('recommendations', () => findSimilar(discovery, bare(first.id), { signal }));
}

function bare(id: string): string {
  return id.replace(/^vid_/, '');
}
