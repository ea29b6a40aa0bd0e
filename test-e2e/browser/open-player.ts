/** A real browser on the player page: Debian's Chromium, driven by playwright-core. */
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { until } from '@vds/testkit/until';

export type OpenedPlayer = {
  readonly page: Page;
  /** Errors and warnings of the console, uncaught errors, and requests to hosts other than loopback. */
  readonly problems: readonly string[];
  /** Limits what the page may download, in bits a second; null lifts the limit. */
  readonly throttle: (bitsPerSecond: number | null) => Promise<void>;
  /** Waits until the video has played beyond `seconds`. */
  readonly playedPast: (seconds: number, capMs?: number) => Promise<void>;
  /** The state that the page keeps on its body: playback state, rungs seen so far, tiles of the storyboard. */
  readonly shown: () => Promise<Readonly<Record<string, string | undefined>>>;
  readonly close: () => Promise<void>;
};

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Chromium headless. `blocksAutoplay`: sound plays only once the viewer has touched the page, as by default. */
export async function launchBrowser(executablePath: string, { blocksAutoplay = false } = {}): Promise<Browser> {
  const policy = blocksAutoplay ? 'document-user-activation-required' : 'no-user-gesture-required';
  return chromium.launch({ executablePath, headless: true, args: [...FLAGS, `--autoplay-policy=${policy}`] });
}

export type OpenOptions = {
  /** From the start; null: unlimited. */
  readonly bitsPerSecond?: number | null;
  /** Runs in the page before its own scripts. */
  readonly initScript?: string;
};

/** Opens the player page in a new tab. */
export async function openPlayer(
  browser: Browser,
  url: string,
  { bitsPerSecond = null, initScript }: OpenOptions = {},
): Promise<OpenedPlayer> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  if (initScript !== undefined) await context.addInitScript(initScript);
  const page = await context.newPage();
  const problems: string[] = [];
  collectProblems(page, problems);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const throttle = throttleWith(session);
  await throttle(bitsPerSecond);
  await page.goto(url);
  return {
    page,
    problems,
    throttle,
    playedPast: async (seconds, capMs = 60_000) => {
      // The page's policy forbids evaluated code inside the page, so the condition is polled from here.
      const past = (): Promise<boolean> => page.evaluate(`document.querySelector('video').currentTime > ${seconds}`);
      await until(past, { what: `the video has played past ${seconds} s`, capMs, everyMs: 100 });
    },
    shown: () => page.evaluate('({ ...document.body.dataset })'),
    close: () => context.close(),
  };
}

function collectProblems(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') problems.push(`requested ${hostname}`);
  });
}

function throttleWith(session: CDPSession) {
  return async (bitsPerSecond: number | null): Promise<void> => {
    const throughput = bitsPerSecond === null ? -1 : bitsPerSecond / 8;
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: bitsPerSecond === null ? 0 : 20,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
  };
}
