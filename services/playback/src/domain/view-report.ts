/**
 * A player's report of one view, read from a decoded line of CMCD (CTA-5004-A): version 2 in event mode with our custom
 * keys, or the arguments of a request (version 1). Untrusted input: invalid fields are dropped, and a report without view
 * id and sequence number is rejected.
 */
export type DecodedCmcd = Readonly<Record<string, unknown>>;

export type ViewReport = {
  readonly viewId: string;
  /** Its number within the view. */
  readonly number: number;
  readonly eventType: string;
  readonly state: string;
  /** By the viewer's clock; undefined: not said. */
  readonly occurredAtMs: number | undefined;
  readonly deviceId: string;
  readonly errorCode: string;
  readonly fatal: boolean;
  /** Whether the player was asked to play by then, by the viewer or by autoplay. */
  readonly asked: boolean;
  readonly positionMs?: number;
  readonly watchedMs?: number;
  readonly stalledMs?: number;
  readonly stalls?: number;
  readonly startupMs?: number;
  readonly seen?: number;
  readonly bitrateKbps?: number;
  readonly throughputKbps?: number;
  readonly bufferMs?: number;
};

const DAY_MS = 86_400_000;
/** Our own events: the page is left, and what nothing is left to try against. */
const customTypes = new Map([
  ['hide', 'hide'],
  ['fail', 'error'],
]);
const MAX_VIEW_ID = 64;
const MAX_ERROR_CODE = 64;
const TWENTIETHS = 2 ** 20 - 1;

const eventTypes: Readonly<Record<string, string>> = { ps: 'state', t: 'time', e: 'error', ce: 'custom' };
/** CMCD's tokens of `sta`, by the words that the warehouse has. */
const states: Readonly<Record<string, string>> = {
  s: 'starting',
  d: 'preloading',
  p: 'playing',
  k: 'seeking',
  r: 'rebuffering',
  a: 'paused',
  e: 'ended',
  f: 'failed',
  q: 'ended',
};

/**
 * States in which a player was asked to play (CTA-5004-A, `sta`): one that preloads, or in which the viewer seeks, was not
 * yet; paused and ended ones are, after such a seek, in front of a picture that never moved.
 */
const askedStates: ReadonlySet<string> = new Set(['starting', 'playing', 'rebuffering']);

/** Undefined for a line that names no view, number or known event. */
export function readReport(cmcd: DecodedCmcd): ViewReport | undefined {
  const viewId = identifier(cmcd['sid']);
  const number = integer(cmcd['sn'], 2 ** 31);
  const custom = text(cmcd['cen'], 16);
  const event = customTypes.get(custom) ?? eventTypes[text(cmcd['e'], 4)];
  if (viewId === undefined || number === undefined || event === undefined) return undefined;
  const state = states[text(cmcd['sta'], 4)] ?? '';
  const counters = countersOf(cmcd);
  return {
    viewId,
    number,
    eventType: event,
    state,
    occurredAtMs: integer(cmcd['ts'], 8.64e15),
    deviceId: identifier(cmcd['com.vds-dev']) ?? '',
    errorCode: text(first(cmcd['ec']), MAX_ERROR_CODE) || text(cmcd['com.vds-err'], MAX_ERROR_CODE),
    fatal: state === 'failed' || custom === 'fail',
    asked: wasAsked(cmcd, state, counters),
    ...counters,
  };
}

/** Our own counters; in their place the absolute ones of CTA-5004-A, of players that have no more. */
function countersOf(cmcd: DecodedCmcd) {
  const own = (name: string, standard: string, max: number): number | undefined =>
    integer(cmcd[`com.vds-${name}`], max) ?? integer(first(cmcd[standard]), max);
  return present({
    positionMs: own('pos', 'pt', 10 * DAY_MS),
    watchedMs: integer(cmcd['com.vds-w'], 10 * DAY_MS),
    stalledMs: own('st', 'bsda', 10 * DAY_MS),
    stalls: own('sc', 'bsa', 1_000_000),
    startupMs: own('su', 'msd', DAY_MS),
    seen: integer(cmcd['com.vds-seen'], TWENTIETHS),
    bitrateKbps: integer(first(cmcd['br']), 10_000_000),
    throughputKbps: integer(first(cmcd['mtp']), 10_000_000),
    bufferMs: integer(first(cmcd['bl']), DAY_MS),
  });
}

/** A picture was asked for; else what the player says of it counts before its state, which a blocked autoplay has too. */
function wasAsked(cmcd: DecodedCmcd, state: string, { watchedMs = 0, startupMs }: Partial<ViewReport>): boolean {
  if (watchedMs > 0 || startupMs !== undefined) return true;
  const said = integer(cmcd['com.vds-ask'], 1);
  // Nobody waits for what plays behind another window (`bg`).
  return said === undefined ? askedStates.has(state) && cmcd['bg'] !== true : said === 1;
}

/** The segment that a request of version 1 fetches; undefined for one that names no view, or is for no media. */
export function readSegmentRequest(cmcd: DecodedCmcd) {
  const viewId = identifier(cmcd['sid']);
  const durationMs = integer(cmcd['d'], 60_000);
  if (viewId === undefined || durationMs === undefined || !['v', 'av', 'a'].includes(text(cmcd['ot'], 4)))
    return undefined;
  return {
    viewId,
    /** Sound beside pictures is watched at the same time: it adds nothing. */
    watchedMs: text(cmcd['ot'], 4) === 'a' ? 0 : durationMs,
    /** The player says that its buffer ran empty since its last request. */
    starved: cmcd['bs'] === true,
    starting: cmcd['su'] === true,
    /** The player fetches ahead, and nothing plays (`pr`, 1 if it is left out). */
    isAhead: cmcd['pr'] === 0,
    bitrateKbps: integer(first(cmcd['br']), 10_000_000),
    throughputKbps: integer(first(cmcd['mtp']), 10_000_000),
    bufferMs: integer(first(cmcd['bl']), DAY_MS),
  };
}

/**
 * When it happened, in milliseconds since the epoch. Nothing is seen with a token before it was made, nor after its report
 * came: a viewer's clock that says so is wrong, and the report happened when it came.
 * @param claimedMs by the viewer's clock; undefined: not said
 * @param issuedAtMs `iat` of the token (RFC 7519 §4.1.6), in milliseconds
 */
export function occurredAt(claimedMs: number | undefined, issuedAtMs: number, receivedAtMs: number): number {
  const isPossible = claimedMs !== undefined && claimedMs >= issuedAtMs && claimedMs <= receivedAtMs;
  return isPossible ? claimedMs : receivedAtMs;
}

function present<T extends Readonly<Record<string, number | undefined>>>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: number;
  };
}

/** A list of CMCD version 2 has one item for each part of the stream; the first is that of the pictures. */
function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function integer(value: unknown, max: number): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= max
    ? Math.round(value)
    : undefined;
}

function text(value: unknown, maxLength: number): string {
  // A token of structured fields is an object with a description.
  const shown = typeof value === 'symbol' ? (value.description ?? '') : value;
  return typeof shown === 'string' && shown.length <= maxLength && /^[\x20-\x7e]*$/.test(shown) ? shown : '';
}

function identifier(value: unknown): string | undefined {
  const id = text(value, MAX_VIEW_ID);
  return /^[\w.-]{1,64}$/.test(id) ? id : undefined;
}
