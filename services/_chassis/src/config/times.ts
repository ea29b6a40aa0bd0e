/**
 * Durations of the product, which are constants. Tests shorten all of a process by one variable: a factor, and
 * between commas exceptions by name, such as `TIME_SCALE=0.05,lease=3s,retryDelays=200ms+1s`. The last of each counts.
 */
import { duration, type ConfigSpec, type Reader } from './config.ts';

type Duration = number | readonly number[];
type Times = Readonly<Record<`${string}Ms`, Duration>>;
type Value<D> = D extends number ? number : readonly number[];
type TimesSpec<T extends Times> = { readonly [K in keyof T]: readonly [typeof VARIABLE, Reader<Value<T[K]>>] };
export type TimeScale = { readonly factor: number; readonly exceptions: ReadonlyMap<string, readonly number[]> };

const VARIABLE = 'TIME_SCALE';

/** What no factor goes below: less than the delays of a busy machine measures nothing. */
const FLOOR_MS = 200;

/** Reads `TIME_SCALE`; without it every duration is its constant. */
export const timeScale: Reader<TimeScale> = (value, name) => {
  const items = (value ?? '').split(',').filter((item) => item !== '');
  const factor = Number(items.findLast((item) => !item.includes('=')) ?? '1');
  if (!(factor > 0)) throw new Error(`${name} must hold a factor above 0, and name=duration, got '${value}'`);
  const exceptions = items.filter((item) => item.includes('=')).map((item) => parseException(item, name));
  return { factor, exceptions: new Map(exceptions) };
};

function parseException(item: string, name: string): [string, readonly number[]] {
  const [key = '', durations = ''] = item.split('=');
  return [key, durations.split('+').map((one) => duration(one, name))];
}

/** Times of the contract and of its recovery, such as leases, deadlines, retries and polls: `TIME_SCALE` multiplies them. */
export function scaled<T extends Times>(times: T): TimesSpec<T> {
  return specOf(times, (ms, { factor }) => Math.max(Math.min(ms, FLOOR_MS), Math.round(ms * factor)));
}

/** Times of others, such as of a network or a program, and lengths of media: only an exception of `TIME_SCALE` changes them. */
export function unscaled<T extends Times>(times: T): TimesSpec<T> {
  return specOf(times, (ms) => ms);
}

/**
 * Rejects exceptions of `TIME_SCALE` that a process does not know.
 * @throws Error that names them
 */
export function checkExceptions(spec: ConfigSpec, { exceptions }: TimeScale): void {
  const known = Object.entries(spec).flatMap(([key, [variable]]) => (variable === VARIABLE ? [nameOf(key)] : []));
  const unknown = [...exceptions.keys()].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`${VARIABLE} names unknown times: ${unknown.join(', ')}`);
}

function specOf<T extends Times>(times: T, scale: (ms: number, by: TimeScale) => number): TimesSpec<T> {
  const entries = Object.entries(times).map(([key, constant]) => {
    const read: Reader<Duration> = (value, name) => {
      const by = timeScale(value, name);
      const exception = by.exceptions.get(nameOf(key));
      if (typeof constant === 'number') return exception?.[0] ?? scale(constant, by);
      return exception ?? constant.map((ms) => scale(ms, by));
    };
    return [key, [VARIABLE, read]];
  });
  return Object.fromEntries(entries) as TimesSpec<T>;
}

function nameOf(key: string): string {
  return key.replace(/Ms$/, '');
}
