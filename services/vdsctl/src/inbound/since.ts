/** Times in the past, as options name them. */
import { InvalidArgumentError } from 'commander';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** RFC 3339 of `2026-01-31`, of `2026-01-31T12:00:00Z`, or of a time span before now such as `2h`. */
export function parseSince(argument: string): string {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(argument) ?? [];
  const at =
    amount === undefined
      ? Date.parse(/^\d{4}-\d\d-\d\d(T.+)?$/.test(argument) ? argument : '')
      : Date.now() - Number(amount) * (UNITS[unit] ?? 0);
  const time = new Date(at);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It must be a time such as 2026-01-31T12:00:00Z, or a span such as 30m, 2h or 7d.');
  return time.toISOString();
}
