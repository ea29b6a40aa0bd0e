/**
 * What `helm test` runs in a pod of the release: the doors answer as their contracts say; with TEST_SOURCE_URL and
 * TEST_KEY a video goes live and is removed. One line a step, exit code 0, or 1 when a step failed.
 *   TEST_GATEWAY=http://… TEST_PLAYBACK=http://… node deploy/tools/release-test/main.ts
 */
import { duration, optional, readConfig, secret, url, withDefault } from '@vds/chassis/config/config';
import { messageOf } from '@vds/chassis/errors';
import { gatewayContract, gatewayRefusal, playbackRefusal } from './endpoints.ts';
import { videoLife } from './video.ts';

type Step = {
  readonly name: string;
  readonly skipped?: string;
  readonly run: (signal: AbortSignal) => Promise<string>;
};

const spec = {
  gateway: ['TEST_GATEWAY', url],
  playback: ['TEST_PLAYBACK', url],
  /** What the addresses of playlists begin with. */
  publicUrl: ['TEST_PLAYBACK_PUBLIC_URL', optional(url)],
  sourceUrl: ['TEST_SOURCE_URL', optional(url)],
  key: ['TEST_KEY', optional(secret)],
  /** For all of it; another minute may go into the removal of the video. */
  timeoutMs: ['TEST_TIMEOUT', withDefault(duration, 900_000)],
  /** How long a door may stay closed at first: a new pod's policies take a moment to reach the whole network. */
  doorMs: ['TEST_DOOR_TIMEOUT', withDefault(duration, 30_000)],
  pollMs: ['TEST_POLL', withDefault(duration, 5_000)],
} as const;

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  say('failed', messageOf(error));
  process.exitCode = 1;
}

async function main(): Promise<boolean> {
  const settings = readConfig(spec);
  const signal = AbortSignal.timeout(settings.timeoutMs);
  const counts = { ok: 0, failed: 0, skipped: 0 };
  const tell = (state: keyof typeof counts, text: string): void => {
    counts[state] += 1;
    say(state, text);
  };
  for (const { name, skipped, run } of stepsOf(settings)) {
    if (skipped !== undefined) {
      tell('skipped', `${name}: ${skipped}`);
      continue;
    }
    try {
      const found = await run(signal);
      tell('ok', found === '' ? name : `${name}: ${found}`);
    } catch (error) {
      tell(
        'failed',
        `${name}: ${signal.aborted ? `not within ${settings.timeoutMs / 1_000} s; ` : ''}${messageOf(error)}`,
      );
    }
  }
  process.stdout.write(`release test: ${counts.ok} ok, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  return counts.failed === 0;
}

function say(state: 'ok' | 'failed' | 'skipped', text: string): void {
  return void process.stdout.write(`${state.padEnd(8)} ${text}\n`);
}

function stepsOf(settings: ReturnType<typeof readConfig<typeof spec>>): readonly Step[] {
  const { gateway, playback, publicUrl, sourceUrl, key, doorMs, pollMs } = settings;
  const video = { name: 'a video goes live and is removed' };
  return [
    { name: 'the gateway shows its contract', run: (signal) => gatewayContract({ base: gateway, doorMs, signal }) },
    { name: 'the gateway asks for credentials', run: (signal) => gatewayRefusal({ base: gateway, doorMs, signal }) },
    { name: 'playback asks for a token', run: (signal) => playbackRefusal({ base: playback, doorMs, signal }) },
    sourceUrl === undefined || key === undefined
      ? {
          ...video,
          skipped: 'set tests.sourceUrl and tests.keySecret.name in the values of the chart',
          run: () => Promise.resolve(''),
        }
      : { ...video, run: (signal) => videoLife({ gateway, publicUrl, sourceUrl, key, pollMs, signal }) },
  ];
}
