/** The demo's three clips: made while programs are still being installed, each as soon as its tools are there. */
import { setTimeout as pause } from 'node:timers/promises';
import { makeClipWithTracks, makeShortClip } from '@vds/testkit/media/make-clip';
import { basketballClip, basketballClipInEnglish, swimmingClip } from '@vds/testkit/media/short-clip-recipes';
import { voiceOf } from '@vds/testkit/media/speak';
import { find } from '@vds/testkit/servers/command';
import type { Submission } from '@vds/testkit/stack/partner';
import type { Word } from './check-discovery.ts';

export type Clip = Omit<Submission, 'source_url'> & {
  /** One word for progress lines. */
  readonly label: string;
  readonly path: string;
  /** Words that are spoken or shown, and in no text that is sent with the video. */
  readonly words: readonly Word[];
  /** How many of its caption tracks the embedded engines make. */
  readonly readyTracks: number;
};

const COMMON = { category: 'sports' as const, tags: ['demo', 'final'] };

const SOCCER: Omit<Clip, 'path'> = {
  ...COMMON,
  label: 'soccer',
  title: 'Championship final: the last minute',
  sport: 'soccer',
  language_code: 'en',
  words: [
    { word: 'goalkeeper', where: 'transcript', spoken: 'English', fromMs: 3_000, toMs: 9_500 },
    { word: 'motion', where: 'screen', fromMs: 8_000, toMs: 14_500 },
  ],
  // Debian has no translation into German and Japanese; German is inside the file.
  readyTracks: 18,
};

const SWIMMING: Omit<Clip, 'path'> = {
  ...COMMON,
  label: 'swimming',
  title: 'Freestyle final: four lanes, one winner',
  sport: 'swimming',
  language_code: 'en',
  words: [{ word: 'evening', where: 'transcript', spoken: 'English', fromMs: 300, toMs: 5_000 }],
  readyTracks: 17,
};

const BASKETBALL = { ...COMMON, label: 'basketball', sport: 'basketball' as const };

const BASKETBALL_IN_SPANISH: Omit<Clip, 'path'> = {
  ...BASKETBALL,
  title: 'Final de baloncesto: el último segundo',
  language_code: 'es',
  words: [{ word: 'público', where: 'transcript', spoken: 'Spanish', fromMs: 4_000, toMs: 8_800 }],
  readyTracks: 17,
};

const BASKETBALL_IN_ENGLISH: Omit<Clip, 'path'> = {
  ...BASKETBALL,
  title: 'Basketball final: the last second',
  language_code: 'en',
  words: [{ word: 'audience', where: 'transcript', spoken: 'English', fromMs: 4_000, toMs: 8_800 }],
  readyTracks: 17,
};

/**
 * Makes the clips one after the other; the first is the longest.
 * @param installed settles when every program has been installed
 */
export function makeClips(installed: Promise<unknown>): readonly Promise<Clip>[] {
  const soccer = early(installed, hasFfmpeg, async () => ({ ...SOCCER, path: await makeClipWithTracks() }));
  const swimming = after(soccer, () =>
    early(installed, hasFfmpeg, async () => {
      const path = await makeShortClip(swimmingClip);
      if (path === null) throw new Error('ffmpeg has no English voice');
      return { ...SWIMMING, path };
    }),
  );
  const basketball = after(swimming, () =>
    early(installed, () => hasFfmpeg() && voiceOf('es') !== null, makeBasketballClip),
  );
  return [soccer, basketball, swimming].map(awaitedLater);
}

/** The same promise; it may fail before anybody awaits it. */
export function awaitedLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined); // its awaiter gets the error
  return work;
}

/** In Spanish; in English if no Spanish voice is installed. */
async function makeBasketballClip(): Promise<Clip> {
  const spanish = await makeShortClip(basketballClip);
  if (spanish !== null) return { ...BASKETBALL_IN_SPANISH, path: spanish };
  const english = await makeShortClip(basketballClipInEnglish);
  if (english === null) throw new Error('ffmpeg has no English voice');
  return { ...BASKETBALL_IN_ENGLISH, path: english };
}

function hasFfmpeg(): boolean {
  return find('ffmpeg') !== null && find('ffprobe') !== null;
}

async function after<T>(first: Promise<unknown>, work: () => Promise<T>): Promise<T> {
  await first;
  return await work();
}

/**
 * Runs `make` as soon as `isReady`, at the latest when all is installed. A program that apt has unpacked may lack its
 * libraries for some seconds, so a failure before all is installed is not final.
 */
async function early<T>(installed: Promise<unknown>, isReady: () => boolean, make: () => Promise<T>): Promise<T> {
  let isInstalled = false;
  const end = awaitedLater(installed.then(() => (isInstalled = true)));
  while (!isInstalled && !isReady()) await Promise.race([pause(500), end]);
  try {
    return await make();
  } catch (error) {
    if (isInstalled) throw error;
    await end;
    return await make();
  }
}
