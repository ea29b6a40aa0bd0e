/** The browser of the tests: Debian's Chromium, or whichever `CHROMIUM_PATH` names. */
import type { Context } from 'mocha';
import { executable, find } from '../servers/command.ts';
import { skipBecause } from '../skip.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of Chromium: `CHROMIUM_PATH`, or one of its names on PATH; null if there is none. */
export function findChromium(): string | null {
  const configured = process.env['CHROMIUM_PATH'];
  if (configured !== undefined) return executable(configured) ? configured : null;
  return names.map((name) => find(name)).find((path) => path !== null) ?? null;
}

/** Path of Chromium; skips the tests of a `before` hook if there is none. */
export function requireChromium(context: Context): string {
  return findChromium() ?? skipBecause(context, 'there is no Chromium (CHROMIUM_PATH, or chromium on PATH)');
}
