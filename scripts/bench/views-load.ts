/** Reports of many views, as players send them: posted to playback, no faster than NATS takes them. */
import { until } from '@vds/testkit/until';

export const EVENTS_PER_VIEW = 10;
/** Together below the 16 KiB of one report. */
const VIEWS_PER_POST = 4;
const POSTS_AT_A_TIME = 8;
/** Below the number from which playback drops reports. */
const MAX_IN_FLIGHT = 1_000;
const DEVICES = 5_000;

/** Posts the views `from` to `to`; each has ten reports, a second apart. */
export async function sendViews(
  { addresses, metricsUrl }: { readonly addresses: readonly string[]; readonly metricsUrl: string },
  from: number,
  to: number,
): Promise<void> {
  const already = await handledBy(metricsUrl);
  let sent = 0;
  for (let view = from; view < to;) {
    const posts: Promise<void>[] = [];
    for (; posts.length < POSTS_AT_A_TIME && view < to; view += VIEWS_PER_POST) {
      const body = linesOf(view, Math.min(to, view + VIEWS_PER_POST));
      sent += body.length;
      posts.push(post(addresses[Math.floor(view / VIEWS_PER_POST) % addresses.length] ?? '', body));
    }
    await Promise.all(posts);
    await until(async () => sent - ((await handledBy(metricsUrl)) - already) < MAX_IN_FLIGHT, {
      ...{ what: 'playback has published or dropped', capMs: 120_000, everyMs: 5 },
    });
  }
  await until(async () => (await handledBy(metricsUrl)) - already >= sent, { what: 'all reports', capMs: 120_000 });
}

/** Reports of playback by outcome. */
export async function outcomesOf(metricsUrl: string): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(metricsUrl)).text();
  const found = text.matchAll(/vds_playback_view_reports_total\{[^}]*outcome="(\w+)"[^}]*\} (\d+)/g);
  return Object.fromEntries([...found].map(([, outcome = '', count]) => [outcome, Number(count)]));
}

async function handledBy(metricsUrl: string): Promise<number> {
  return Object.values(await outcomesOf(metricsUrl)).reduce((sum, one) => sum + one, 0);
}

function linesOf(from: number, to: number): string[] {
  const lines: string[] = [];
  for (let view = from; view < to; view += 1)
    for (let n = 1; n <= EVENTS_PER_VIEW; n += 1)
      lines.push(
        `br=(3000),bl=(8000),com.vds-dev="device-${view % DEVICES}",com.vds-pos=${n * 1_000},com.vds-sc=${n > 5 ? 1 : 0},` +
          `com.vds-seen=${2 ** (2 * n) - 1},com.vds-st=${n > 5 ? 700 : 0},com.vds-su=400,com.vds-w=${n * 1_000},` +
          `e=t,mtp=(9000),sid="load-${view}",sn=${n},sta=p,ts=${Date.now()},v=2`,
      );
  return lines;
}

async function post(address: string, lines: readonly string[]): Promise<void> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' },
    body: lines.join('\n'),
    signal: AbortSignal.timeout(60_000),
  });
  if (response.status !== 204) throw new Error(`playback answered ${response.status}: ${await response.text()}`);
}
