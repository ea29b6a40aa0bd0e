/** The main job, step by step, from nothing to a playing video. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readServers, type Servers } from '@vds/testkit/servers/servers-file';
import { operatorOf, type Operator } from '@vds/testkit/stack/operator';
import { provision } from '@vds/testkit/stack/provision';
import { startStack, type Stack } from '@vds/testkit/stack/start-stack';
import { openState } from '@vds/testkit/stack/state';
import { STACK_PARTS, install } from '@vds/testkit/programs/install';
import { print, secondsSince, step } from '@vds/testkit/servers/progress';
import { down, up, USUAL_SERVERS } from '@vds/testkit/servers/up';
import type { DemoArguments } from './arguments.ts';
import { withToken, type PageServer } from './page-server.ts';
import { CLIP_WORDS, findInFeed, findWords, showTracks } from './check-discovery.ts';
import { claimDemo } from './claim-demo.ts';
import { addressesOf, openPages, type Pages } from './open-pages.ts';
import type { Partner, StatusRecord } from '@vds/testkit/stack/partner';
import { playThrough, statusOf } from './play-through.ts';
import { publishVideo, SPORT } from './publish-video.ts';
import { openSource, type DemoSource } from './source.ts';

/** Reverts a step at the end of the demo, in reverse order. */
export type Undo = (what: string, work: () => Promise<unknown>) => void;

const dir = fileURLToPath(new URL('../../.vds/demo', import.meta.url));
/** Separates the demo from other stacks on the same servers. */
const STACK = 'demo';

/** Runs the demo until it ends: with `once` after everything was played, else when `signal` aborts. */
export async function runDemo({ source: wanted, once }: DemoArguments, signal: AbortSignal, undo: Undo): Promise<void> {
  const from = performance.now();
  const release = claimDemo(dir);
  undo('claim', async () => release());
  const servers = await openServers(undo);
  signal.throwIfAborted();
  const source = await openSource(wanted);
  undo('HTTPS server', source.close);
  signal.throwIfAborted();
  const stack = await openStack(servers, source, undo);
  const operator = operatorOf(stack);
  undo('connections', operator.close);
  const { record, key, partner } = await publishVideo({
    gateway: stack.url('gateway'),
    operator,
    source,
    signal,
  });

  show(JSON.stringify(record, null, 2));
  if (record.status !== 'ready') throw new Error(record.failure?.message ?? `The video ended as ${record.status}.`);
  const pages = await openPages({ stack, operator, partner, videoId: record.id });
  undo('pages', pages.close);
  if (once) {
    await playOnce(record, operator, pages);
    await checkDiscovery({ source: wanted, partner, record }, pages);
    print(`✓ the whole demo (${secondsSince(from)})`);
    return;
  }
  show(`\n${addressesOf(pages, stack.url('gateway'), key)}\n\nCtrl-C ends the demo.`);
  // Ends by rejection: the signal aborts the pause.
  await pause(2 ** 31 - 1, undefined, { signal }).catch(() => undefined);
}

async function openServers(undo: Undo): Promise<Servers> {
  await step('programs', () => install(STACK_PARTS));
  const file = process.env['VDS_SERVERS'];
  if (file !== undefined) return readServers(file);
  const folder = join(dir, 'servers');
  undo('servers', () => down(folder));
  return step(`servers: ${USUAL_SERVERS.join(', ')}`, () => up(folder));
}

async function openStack(servers: Servers, source: DemoSource, undo: Undo): Promise<Stack> {
  const folder = join(dir, 'stack');
  await step('databases, migrations, accounts and buckets', () => provision(servers, openState(folder, STACK)));
  const { SOURCE_CA_FILE, DNS_SERVERS, PRIVATE_SOURCES } = source.environment;
  const env =
    SOURCE_CA_FILE === undefined || DNS_SERVERS === undefined || PRIVATE_SOURCES === undefined
      ? {}
      : { gateway: { PRIVATE_SOURCES }, ingest: { SOURCE_CA_FILE, DNS_SERVERS, PRIVATE_SOURCES } };
  const stack = await step('services', () => startStack({ dir: folder, servers, name: STACK, env }));
  // Removes data directly instead of calling the services: Ctrl-C reaches them too, and the next demo starts clean.
  undo('services, with all they stored', stack.remove);
  return stack;
}

function show(text: string): void {
  return void process.stdout.write(`${text}\n`);
}

/** Plays everything as `--once` promises; throws one sentence if something is wrong. */
async function playOnce(record: StatusRecord, operator: Operator, server: PageServer): Promise<void> {
  const { playback, duration_seconds: seconds = 0 } = record;
  if (playback === null) throw new Error(`The video is ${record.status} and has nothing to play.`);
  const url = withToken(playback.hls_url, await operator.token(playback.playback_id, seconds));
  const played = await step('playing every playlist and segment', () => playThrough(url, seconds));
  for (const { name, seconds: length, segments, bytes } of played)
    print(`  ${name.padEnd(24)} ${length.toFixed(2)} s, ${segments} files, ${(bytes / 1e6).toFixed(2)} MB`);
  const wanted: readonly (readonly [what: string, url: string, status: number])[] = [
    ['the stream without a token', playback.hls_url, 401],
    ['the thumbnail', playback.thumbnail_url, 200],
    ['the player page', server.url, 200],
    ['the discovery page', `${server.url}discover.html`, 200],
    ['the player page’s stream address', `${server.url}api/stream`, 200],
  ];
  for (const [what, address, status] of wanted) {
    const answered = await statusOf(address);
    if (answered !== status) throw new Error(`${what} answered ${answered}, not ${status}.`);
    print(`✓ ${what}: ${answered}`);
  }
}

/** Searches for the video like viewers; the words of the generated clip and their seconds are known. */
async function checkDiscovery(
  { source, partner, record }: { source: DemoArguments['source']; partner: Partner; record: StatusRecord },
  { discovery }: Pages,
): Promise<void> {
  const id = record.id.replace(/^vid_/, '');
  if (source.kind === 'clip') {
    await showTracks(() => partner.read(record.id));
    await findWords(discovery, id, CLIP_WORDS);
  }
  await findInFeed(discovery, id, SPORT);
}
