/**
 * What `helm test` runs in a pod of the release: checks the public endpoints; with TEST_SOURCE_URL and TEST_KEY it also
 * publishes and deletes a video. Prints one line per step; exit code 1 if a step failed.
 *   TEST_GATEWAY=http://… TEST_PLAYBACK=http://… node deploy/tools/release-test/main.ts
 */
import { duration, optional, or, readConfig, secret, url } from '@vds/chassis/config/config';
import { messageOf } from '@vds/chassis/errors';
import { gatewayContract, gatewayRequiresKey, playbackRequiresToken } from './endpoints.ts';
import { videoLifecycle } from './video.ts';

type Step = {
  readonly name: string;
  readonly skipped?: string;
  readonly run: (signal: AbortSignal) => Promise<string>;
};

const spec = {
  gateway: ['TEST_GATEWAY', url],
  playback: ['TEST_PLAYBACK', url],
  /** The prefix of playlist URLs. */
  publicUrl: ['TEST_PLAYBACK_PUBLIC_URL', optional(url)],
  sourceUrl: ['TEST_SOURCE_URL', optional(url)],
  key: ['TEST_KEY', optional(secret)],
  /** For the whole test, except up to a minute for deleting the video. */
  timeoutMs: ['TEST_TIMEOUT', or(duration, 900_000)],
  /** How long an endpoint may be unreachable: network policies of a new pod take a moment to apply. */
  startupMs: ['TEST_STARTUP_TIMEOUT', or(duration, 30_000)],
  pollMs: ['TEST_POLL', or(duration, 5_000)],
} as const;

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  print('failed', messageOf(error));
  process.exitCode = 1;
}

async function main(): Promise<boolean> {
  const settings = readConfig(spec);
  const signal = AbortSignal.timeout(settings.timeoutMs);
  const counts = { ok: 0, failed: 0, skipped: 0 };
  const report = (state: keyof typeof counts, text: string): void => {
    counts[state] += 1;
    print(state, text);
  };
  for (const { name, skipped, run } of stepsOf(settings)) {
    if (skipped !== undefined) {
      report('skipped', `${name}: ${skipped}`);
      continue;
    }
    try {
      const result = await run(signal);
      report('ok', result === '' ? name : `${name}: ${result}`);
    } catch (error) {
      report(
        'failed',
        `${name}: ${signal.aborted ? `not within ${settings.timeoutMs / 1_000} s; ` : ''}${messageOf(error)}`,
      );
    }
  }
  process.stdout.write(`release test: ${counts.ok} ok, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  return counts.failed === 0;
}

function print(state: 'ok' | 'failed' | 'skipped', text: string): void {
  return void process.stdout.write(`${state.padEnd(8)} ${text}\n`);
}

function stepsOf(settings: ReturnType<typeof readConfig<typeof spec>>): readonly Step[] {
  const { gateway, playback, publicUrl, sourceUrl, key, startupMs, pollMs } = settings;
  const video = { name: 'a video goes live and is deleted' };
  return [
    { name: 'the gateway serves its contract', run: (signal) => gatewayContract({ base: gateway, startupMs, signal }) },
    { name: 'the gateway requires a key', run: (signal) => gatewayRequiresKey({ base: gateway, startupMs, signal }) },
    {
      name: 'playback requires a token',
      run: (signal) => playbackRequiresToken({ base: playback, startupMs, signal }),
    },
    sourceUrl === undefined || key === undefined
      ? {
          ...video,
          skipped: 'set tests.sourceUrl and tests.keySecret.name in the values of the chart',
          run: () => Promise.resolve(''),
        }
      : { ...video, run: (signal) => videoLifecycle({ gateway, publicUrl, sourceUrl, key, pollMs, signal }) },
  ];
}
