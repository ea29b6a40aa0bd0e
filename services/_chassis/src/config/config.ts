/**
 * Configuration from environment variables, read and validated once at startup. A specification maps a name in code to a
 * variable and a reader; one error lists every invalid variable.
 */
import { readFileSync } from 'node:fs';

export type Reader<T> = (value: string | undefined, name: string) => T;
export type ConfigSpec = Readonly<Record<string, readonly [name: string, read: Reader<unknown>]>>;
export type ConfigOf<S extends ConfigSpec> = { readonly [K in keyof S]: ReturnType<S[K][1]> };
type Environment = Readonly<Record<string, string | undefined>>;

/** A required value. */
export const text: Reader<string> = (value, name) => {
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
};

/** A required value that is never printed. `file:<path>` reads it from a mounted file. */
export const secret: Reader<string> = (value, name) => {
  const present = text(value, name);
  if (!present.startsWith('file:')) return present;
  try {
    return readFileSync(present.slice('file:'.length), 'utf8').trim();
  } catch (cause) {
    throw new Error(`${name} names a file that cannot be read`, { cause });
  }
};

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as `500ms`, `90s`, `5m`, `24h` or `7d`, in milliseconds. */
export const duration: Reader<number> = (value, name) => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text(value, name));
  if (!match) throw new Error(`${name} must be a duration such as 90s, 5m or 24h, got '${value}'`);
  return Math.round(Number(match[1]) * (unitMs[match[2] ?? 'ms'] ?? 1));
};

export const flag: Reader<boolean> = (value, name) => {
  const present = text(value, name);
  if (present !== 'true' && present !== 'false') throw new Error(`${name} must be true or false, got '${value}'`);
  return present === 'true';
};

/** Values separated by commas; an empty or absent variable is an empty list. */
export const commaSeparated: Reader<readonly string[]> = (value) =>
  (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** The same, never printed; `file:<path>` reads the values from a mounted file. */
export const secretList: Reader<readonly string[]> = (value, name) =>
  commaSeparated(value?.startsWith('file:') ? secret(value, name) : value, name);

/** An absolute URL. It may contain a password, so error messages do not print it. */
export const url: Reader<string> = (value, name) => {
  const present = text(value, name);
  if (!URL.canParse(present)) throw new Error(`${name} must be an absolute URL`);
  return present;
};

/** The URL of a server. With another scheme, such as a misspelt one, it could be used without TLS. */
export const httpUrl: Reader<string> = (value, name) => {
  const present = url(value, name);
  if (!/^https?:\/\/./i.test(present)) throw new Error(`${name} must be an http:// or https:// URL`);
  return present;
};

/** A whole number from `min` to `max`, inclusive. */
export function integer(min = 0, max = Number.MAX_SAFE_INTEGER): Reader<number> {
  return (value, name) => {
    const number = Number(text(value, name));
    if (!Number.isSafeInteger(number) || number < min || number > max)
      throw new Error(`${name} must be a whole number from ${min} to ${max}, got '${value}'`);
    return number;
  };
}

export function choice<const C extends readonly string[]>(...choices: C): Reader<C[number]> {
  return (value, name) => {
    const present = text(value, name);
    if (!choices.includes(present)) throw new Error(`${name} must be one of ${choices.join(', ')}, got '${value}'`);
    return present as C[number];
  };
}

export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return withDefault(read, undefined);
}

/** `read`, or `fallback` if the variable is absent or empty. */
export function withDefault<T, F>(read: Reader<T>, fallback: F): Reader<T | F> {
  return (value, name) => (value === undefined || value === '' ? fallback : read(value, name));
}

/**
 * Reads every variable of `spec`.
 * @throws Error that lists every invalid variable, one per line
 */
export function readConfig<S extends ConfigSpec>(spec: S, environment: Environment = process.env): ConfigOf<S> {
  const errors: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, [name, read]] of Object.entries(spec)) {
    try {
      values[key] = read(environment[name], name);
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (errors.length > 0) throw new Error(`bad configuration:\n  ${errors.join('\n  ')}`);
  return Object.freeze(values) as ConfigOf<S>;
}

/** Only the settings of `spec`: a module receives what it names, and no secrets of others. */
export function settingsOf<S extends ConfigSpec>(spec: S, config: ConfigOf<S>): ConfigOf<S> {
  return Object.fromEntries(Object.keys(spec).map((key) => [key, config[key]])) as ConfigOf<S>;
}
