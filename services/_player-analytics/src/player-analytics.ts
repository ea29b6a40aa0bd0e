/**
 * Reports what happens on the screen to the Video Distribution Service, as CMCD version 2 in event mode (CTA-5004-A), by
 * `sendBeacon`. With hls.js (not its light build, which has no CMCD):
 *
 *     const views = reportViews(video, url);
 *     const hls = new Hls({ cmcd: views });
 *     hls.on(Hls.Events.ERROR, views.onError);
 */

/** What hls.js takes as `cmcd`; its own type is wider. Its arrays are not readonly there. */
export type CmcdConfig = {
  readonly sessionId: string;
  readonly contentId: string;
  readonly version: 2;
  readonly includeKeys: Key[];
  readonly eventTargets: {
    readonly url: string;
    readonly interval: number;
    readonly batchSize: number;
    readonly events: ('ps' | 'e' | 't' | 'ce')[];
    readonly includeKeys: Key[];
  }[];
  readonly loader: (request: {
    readonly url: string;
    readonly body?: BodyInit;
  }) => Promise<{ readonly status: number }>;
  readonly reporterCallback: (reporter: Reporter) => void;
  /** For hls.js's errors: its own report of them misses those that are fatal because nothing is left to try. */
  readonly onError: (event: unknown, error: { readonly fatal: boolean; readonly details: string }) => void;
};

/** hls.js's reporter. */
export type Reporter = {
  readonly updateCustomData: (data: Readonly<Record<string, number | string>>) => void;
  readonly recordCustomEvent: (name: string) => void;
};

export type Options = {
  /** Seconds between two reports of time. */
  readonly interval?: number;
  /** Whether a random id of this browser may be kept in localStorage, where the app names no viewer in the token. */
  readonly keepDeviceId?: boolean;
};

/** The keys that hls.js fills itself, and our counters; a key that is not named here is dropped. */
const STANDARD_KEYS = ['v', 'sid', 'cid', 'sn', 'e', 'ts', 'sta', 'bl', 'br', 'mtp', 'ec', 'cen'] as const;
const CUSTOM_KEYS = ['ask', 'pos', 'w', 'st', 'sc', 'su', 'seen', 'dev', 'err'].map(
  (name) => `com.vds-${name}` as const,
);
type Key = (typeof STANDARD_KEYS)[number] | (typeof CUSTOM_KEYS)[number];
const STORAGE_KEY = 'vds-device';

/**
 * @param video the element that plays; its counters begin now
 * @param url of the stream, with its token: `https://…/<playback_id>.m3u8?token=…`
 * @throws TypeError for another address
 */
export function reportViews(video: HTMLVideoElement, url: string, options: Options = {}): CmcdConfig {
  const { playbackId, eventsUrl } = readStreamUrl(url);
  const counters = createCounters(video);
  const device = options.keepDeviceId === true ? deviceId() : undefined;
  let reporter: Reporter | undefined;
  const update = (): void =>
    reporter?.updateCustomData({ ...counters.read(), ...(device !== undefined && { 'com.vds-dev': device }) });
  for (const event of ['play', 'timeupdate', 'playing', 'pause', 'waiting', 'seeking', 'ended', 'error'])
    video.addEventListener(event, update);
  addEventListener('pagehide', () => {
    update();
    reporter?.recordCustomEvent('hide');
  });
  return {
    sessionId: crypto.randomUUID(),
    contentId: playbackId,
    version: 2,
    // No keys on requests: they would make every segment's address unique, and caches useless.
    includeKeys: [],
    eventTargets: [
      {
        url: eventsUrl,
        interval: options.interval ?? 10,
        batchSize: 1,
        events: ['ps', 'e', 't', 'ce'],
        includeKeys: [...STANDARD_KEYS, ...CUSTOM_KEYS],
      },
    ],
    // Text without a preflight, which also leaves with the page; 429 has hls.js try again.
    loader: ({ url: target, body }) => Promise.resolve({ status: navigator.sendBeacon(target, body) ? 200 : 429 }),
    reporterCallback: (given) => {
      reporter = given;
      update();
    },
    onError: (_event, { fatal, details }) => {
      if (!fatal) return;
      counters.fail();
      update();
      reporter?.updateCustomData({ 'com.vds-err': details });
      reporter?.recordCustomEvent('fail');
    },
  };
}

/**
 * The same for a video element that anything else fills: Shaka, dash.js, the browser's own HLS.
 * @param video the element that plays; its counters begin now
 * @param url of the stream, with its token
 * @returns `fail` for what the player gives up on, and `close` when another video is opened in the element
 * @throws TypeError for another address
 */
export function reportElement(video: HTMLVideoElement, url: string, options: Options = {}) {
  const { playbackId, eventsUrl } = readStreamUrl(url);
  const counters = createCounters(video);
  const device = options.keepDeviceId === true ? deviceId() : undefined;
  const sessionId = crypto.randomUUID();
  const ended = new AbortController();
  let number = 0;
  let state = video.autoplay ? 's' : 'd';
  let isFirst = true;
  const send = (event: string): void => {
    const fields = {
      ...{ sid: `"${sessionId}"`, sn: (number += 1), cid: `"${playbackId}"`, sta: state, ts: Date.now(), v: 2 },
      ...counters.read(),
      ...(device !== undefined && { 'com.vds-dev': `"${device}"` }),
    };
    const pairs = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    navigator.sendBeacon(eventsUrl, [event, ...pairs].join(','));
  };
  const enter = (next: string): void => {
    if (next === state) return;
    state = next;
    send('e=ps');
  };
  const on = (event: string, listener: () => void, target: EventTarget = video): void =>
    target.addEventListener(event, listener, { signal: ended.signal });
  on('play', () => enter(isFirst ? 's' : state));
  on('playing', () => {
    isFirst = false;
    enter('p');
  });
  on('waiting', () => state !== 'k' && enter(isFirst ? state : 'r'));
  on('seeking', () => enter('k'));
  on('pause', () => !video.ended && enter('a'));
  on('ended', () => enter('e'));
  const leave = (): void => send('e=ce,cen=hide');
  on('pagehide', leave, globalThis);
  const timer = setInterval(() => !video.paused && send('e=t'), (options.interval ?? 10) * 1_000);
  send('e=ps');
  return {
    /** @param code the player's own name of the error, at most 64 printable characters */
    fail: (code: string): void => {
      counters.fail();
      state = 'f';
      send(`e=ce,cen=fail,com.vds-err=${JSON.stringify(code)}`);
    },
    close: (): void => {
      leave();
      clearInterval(timer);
      ended.abort();
    },
  };
}

function readStreamUrl(url: string): { readonly playbackId: string; readonly eventsUrl: string } {
  const { origin, pathname, searchParams } = new URL(url, document.baseURI);
  const [, folder, playbackId] = /^(.*\/)([\w-]+)\.m3u8$/.exec(pathname) ?? [];
  const token = searchParams.get('token');
  if (folder === undefined || playbackId === undefined || token === null)
    throw new TypeError('the address of the stream has the form https://…/<playback_id>.m3u8?token=…');
  return { playbackId, eventsUrl: `${origin}${folder}p/${token}/${playbackId}/events` };
}

/** Counts from the element's own events; all of it is cumulative, in milliseconds. */
function createCounters(video: HTMLVideoElement) {
  const createdAt = performance.now();
  const asking = createAsking(video, createdAt);
  const [watched, stalled] = [createStopwatch(), createStopwatch()];
  let startup: number | undefined;
  let stalls = 0;
  let isSeeking = false;
  let seen = 0;
  const on = (events: readonly string[], listener: () => void): void =>
    events.forEach((event) => video.addEventListener(event, listener));

  on(['playing'], () => {
    startup ??= performance.now() - asking.begun();
    isSeeking = false;
    stalled.stop();
    watched.start();
  });
  const stop = (): void => {
    watched.stop();
    stalled.stop();
  };
  on(['pause', 'ended', 'error', 'emptied', 'seeking'], stop);
  on(['seeking'], () => void (isSeeking = true));
  // A wait within a seek is the viewer's own doing; one before the first picture is the startup.
  on(['waiting'], () => {
    watched.stop();
    if (isSeeking || startup === undefined || video.ended || stalled.isRunning()) return;
    stalled.start();
    stalls += 1;
  });
  on(['timeupdate'], () => {
    if (!watched.isRunning() || !(video.duration > 0) || video.duration === Infinity) return;
    seen |= 1 << Math.min(19, Math.floor((20 * video.currentTime) / video.duration));
  });

  return {
    /** Nothing is left to try. */
    fail: (): void => {
      stop();
      asking.failed();
    },
    read: (): Readonly<Record<string, number>> => ({
      'com.vds-ask': asking.isAsked() ? 1 : 0,
      'com.vds-pos': Math.round(video.currentTime * 1_000),
      'com.vds-w': watched.total(),
      'com.vds-st': stalled.total(),
      'com.vds-sc': stalls,
      'com.vds-seen': seen,
      ...(startup !== undefined && { 'com.vds-su': Math.round(startup) }),
    }),
  };
}

/**
 * When it was asked to play, by the viewer or by autoplay; a blocked autoplay asks nothing. Nobody waits for a page behind
 * another one: it is asked for once it is shown, or by a picture that moves.
 */
function createAsking(video: HTMLVideoElement, createdAt: number) {
  let askedAt: number | undefined;
  const ask = (at: number): void => void (document.visibilityState === 'visible' && (askedAt ??= at));
  video.addEventListener('play', () => {
    // The attribute has asked since the beginning, and its event comes with the first picture; a click has not.
    const isAutomatic = video.autoplay && navigator.userActivation?.isActive !== true;
    ask(isAutomatic ? createdAt : performance.now());
  });
  document.addEventListener('visibilitychange', () => {
    if (!video.paused) ask(performance.now());
  });
  return {
    isAsked: (): boolean => askedAt !== undefined,
    /** Pictures move: when that was asked for. */
    begun: (): number => (askedAt ??= createdAt),
    /** What would have begun by itself was asked for. */
    failed: (): void => void (video.autoplay && ask(createdAt)),
  };
}

function createStopwatch() {
  let before = 0;
  let since: number | undefined;
  const elapsed = (): number => (since === undefined ? 0 : performance.now() - since);
  return {
    isRunning: (): boolean => since !== undefined,
    start: (): void => void (since ??= performance.now()),
    stop: (): void => {
      before += elapsed();
      since = undefined;
    },
    total: (): number => Math.round(before + elapsed()),
  };
}

/** A random id of this browser; undefined where it keeps nothing. */
function deviceId(): string | undefined {
  try {
    const known = localStorage.getItem(STORAGE_KEY);
    if (known !== null) return known;
    const made = crypto.randomUUID();
    localStorage.setItem(STORAGE_KEY, made);
    return made;
  } catch {
    return undefined; // storage is off
  }
}
