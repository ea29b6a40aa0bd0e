/** Readers of ffprobe's JSON: whatever it holds, they return something of the wanted kind. */
import { AppError } from '@vds/chassis/errors';

export type Json = { readonly [key: string]: unknown };

/** @throws AppError INTERNAL if it is not ffprobe's JSON */
export function parse(json: string): Json {
  try {
    const parsed: unknown = JSON.parse(json);
    if (isObject(parsed)) return parsed;
  } catch (cause) {
    throw new AppError('INTERNAL', 'the probe did not return JSON', { cause });
  }
  throw new AppError('INTERNAL', 'the probe returned no JSON object');
}

export function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function has(stream: Json, flag: string): boolean {
  return isObject(stream['disposition']) && stream['disposition'][flag] === 1;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function number(value: unknown): number {
  const parsed = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(parsed) ? parsed : 0;
}

/** Containers may hold any text; what is not a language tag is dropped. */
export function languageTagOf(language: string | undefined): string | null {
  return /^[A-Za-z]{2,8}(?:-[0-9A-Za-z]{1,8}){0,8}$/.test(language ?? '') ? (language ?? null) : null;
}

/** Undefined if the file does not declare it, or declares it as undetermined. */
export function languageOf({ tags }: Json): string | undefined {
  const language = isObject(tags) ? text(tags['language']) : '';
  return language === '' || language === 'und' ? undefined : language;
}

export function positive(value: unknown): number | undefined {
  return number(value) > 0 ? number(value) : undefined;
}
