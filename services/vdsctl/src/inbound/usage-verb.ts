/** `vdsctl usage`: what publishers used in a month, for invoices. Catalog knows what came in and is stored, analytics what was seen. */
import type { Command } from 'commander';
import type { PublisherOut } from '@vds/proto/generated/vds/auth/v1/Publisher.ts';
import { AppError } from '@vds/chassis/errors';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { csvText, jsonText, table } from './output.ts';
import { withClients, type CliIo, type Output } from './verb.ts';

type UsageOptions = { readonly month: string; readonly format: string };
/** Whole numbers, which may be beyond those that JavaScript's own hold. */
const figures = ['media_ms', 'fetched_bytes', 'stored_bytes', 'plays', 'watched_ms'] as const;
type Figure = (typeof figures)[number];
type Sums = Readonly<Record<Figure, bigint>>;
type Line = Sums & Pick<PublisherOut, 'id' | 'name' | 'organization'>;

const none: Sums = { media_ms: 0n, fetched_bytes: 0n, stored_bytes: 0n, plays: 0n, watched_ms: 0n };
const DAY_MS = 86_400_000;
/** A token is valid for a day at most, so that a play ends within it; its reports are dated no later than they come. */
const MARGIN_DAYS = 2;

/** Adds the verb to the program. */
export function addUsageVerb(program: Command, io: CliIo): void {
  program
    .command('usage')
    .description('minutes in, bytes stored at its end, and minutes seen in a month (UTC), by publisher')
    .requiredOption('--month <month>', 'such as 2026-11')
    .option('--format <format>', 'table, csv or json', 'table')
    .action(
      withClients<UsageOptions>(io, async (clients, { month, format }) => {
        if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
          throw new AppError('INVALID_ARGUMENT', `--month is written as 2026-11, not '${month}'`);
        return usageOutput(month, await linesOf(clients, month), format);
      }),
    );
}

/** Every publisher that used anything, by its id. */
async function linesOf(clients: AdminClients, month: string): Promise<Line[]> {
  const [{ publishers }, stored, seen] = await Promise.all([
    clients.keys().ListPublishers({}),
    storedOf(clients, month),
    seenOf(clients, month),
  ]);
  const known = new Map(publishers.map((publisher) => [publisher.id, publisher]));
  const ids = [...new Set([...stored.keys(), ...seen.keys()])].toSorted();
  return ids.map((id) => {
    const { name = '', organization = '' } = known.get(id) ?? {};
    return { id, name, organization, ...none, ...stored.get(id), ...seen.get(id) };
  });
}

async function storedOf({ videos }: AdminClients, month: string): Promise<Map<string, Partial<Sums>>> {
  const found = new Map<string, Partial<Sums>>();
  for (let after: string | undefined = ''; after !== undefined;) {
    const { publishers } = await videos().ListUsage({ month, afterPublisherId: after });
    for (const { publisherId, mediaMs, fetchedBytes, storedBytes } of publishers)
      found.set(publisherId, {
        ...{ media_ms: BigInt(mediaMs), fetched_bytes: BigInt(fetchedBytes), stored_bytes: BigInt(storedBytes) },
      });
    after = publishers.at(-1)?.publisherId;
  }
  return found;
}

/** One organization after the other, as analytics answers one query at a time. */
async function seenOf({ keys, analytics }: AdminClients, month: string): Promise<Map<string, Partial<Sums>>> {
  const [from, to] = spanOf(month);
  const sql = `SELECT publisher_id, count(*) AS plays, sum(watched_ms) AS watched_ms FROM plays
    WHERE began_on >= '${from}' AND began_on < '${to}' GROUP BY publisher_id`;
  const days = { fromDay: dayAt(from, -MARGIN_DAYS), toDay: dayAt(to, MARGIN_DAYS) };
  const found = new Map<string, Partial<Sums>>();
  for (const { id: organizationId } of (await keys().ListOrganizations({})).organizations) {
    const { rows, isCut } = await analytics().Query({ organizationId, sql, ...days });
    if (isCut)
      throw new AppError('INTERNAL', `organization ${organizationId} has more publishers than a query answers`);
    for (const row of rows) {
      const { publisher_id: id, plays, watched_ms: watched } = JSON.parse(row) as Record<string, string | number>;
      // One that has moved has plays in two organizations.
      const before = { ...none, ...found.get(String(id)) };
      found.set(String(id), {
        plays: before.plays + BigInt(plays ?? 0),
        watched_ms: before.watched_ms + BigInt(watched ?? 0),
      });
    }
  }
  return found;
}

/** Its first day, and that of the next month. */
function spanOf(month: string): readonly [from: string, to: string] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return [`${month}-01`, new Date(Date.UTC(year, number)).toISOString().slice(0, 10)];
}

function dayAt(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

function usageOutput(month: string, lines: readonly Line[], format: string): Output {
  const total = lines.reduce<Sums>((sum, line) => mapSums((figure) => sum[figure] + line[figure]), none);
  const titles = ['publisher', 'name', 'organization'];
  const rows = lines.map(({ id, name, organization, ...sums }) => ({
    ...{ publisher: id, name, organization },
    ...mapSums((figure) => wholeOf(sums[figure])),
  }));
  const json = { month, publishers: rows, total: mapSums((figure) => wholeOf(total[figure])) };
  const shown = (sums: Sums): string[] => [
    ...[minutes(sums.media_ms), gigabytes(sums.fetched_bytes), gigabytes(sums.stored_bytes)],
    ...[String(sums.plays), minutes(sums.watched_ms)],
  ];
  const texts: Readonly<Record<string, () => string>> = {
    table: () =>
      table(
        ['publisher', 'name', 'min in', 'GB in', 'GB stored', 'plays', 'min seen'],
        lines.length === 0
          ? []
          : [...lines.map((line) => [line.id, line.name, ...shown(line)]), ['total', '', ...shown(total)]],
        `Nothing was used in ${month}.`,
      ),
    csv: () => csvText([[...titles, ...figures], ...rows.map((row) => Object.values(row).map(String))]),
    json: () => jsonText(json),
  };
  const text = texts[format];
  if (!text) throw new AppError('INVALID_ARGUMENT', `--format is one of ${Object.keys(texts).join(', ')}`);
  return { json, text: text() };
}

function mapSums<T>(value: (figure: Figure) => T): Readonly<Record<Figure, T>> {
  return Object.fromEntries(figures.map((figure) => [figure, value(figure)])) as Record<Figure, T>;
}

/** A number where JSON's readers keep it exact, else its digits. */
function wholeOf(sum: bigint): number | string {
  return sum <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sum) : String(sum);
}

function minutes(ms: bigint): string {
  return (Number(ms) / 60_000).toFixed(1);
}

function gigabytes(bytes: bigint): string {
  return (Number(bytes) / 1e9).toFixed(3);
}
