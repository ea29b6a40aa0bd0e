/**
 * Expand and contract: during a rollout, and after a rollback, images of the previous version run on this version's
 * schema. So a migration may only add what they can ignore. A migration that removes something comes a version later,
 * when no image uses it any more, and declares it: `-- contract: since <version>`, the first version without it.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readRepository, type Repository } from './architecture/repository.ts';
import { outcomeOf, type Outcome } from './charts/outcome.ts';
import { lockFaults } from './migration-locks.ts';
import { partsOf, statementsOf, tableOf, tablesMadeIn } from './sql.ts';

/** The first version's migrations: no version preceded them. */
const baseline: ReadonlySet<string> = new Set([
  'services/_chassis/migrations/0001_chassis.sql',
  'services/auth/prisma/migrations/0001_init/migration.sql',
  'services/captions/prisma/migrations/0001_init/migration.sql',
  'services/catalog/prisma/migrations/0001_catalog/migration.sql',
  'services/ingest/prisma/migrations/0001_init/migration.sql',
  'services/metadata/prisma/migrations/0001_init/migration.sql',
  'services/transcode/prisma/migrations/0001_init/migration.sql',
]);

type Rule = readonly [pattern: RegExp, fault: string, unless?: (part: string, file: readonly string[]) => boolean];

/** Actions of an ALTER TABLE that are forbidden for a table that the previous version's images use. */
const actions: readonly Rule[] = [
  [/^drop not null/i, '', () => true],
  [/^drop /i, 'takes something away'],
  [/^rename /i, 'renames something'],
  [/^alter (column )?\S+ (set data )?type /i, 'changes a type: it rewrites the table, and old images may not read it'],
  [/^alter (column )?\S+ set not null/i, 'lets old images no longer write nulls', setsDefault],
  [/^alter (column )?\S+ drop (default|identity|expression)/i, 'takes away a value that old images rely on'],
  [
    /^add (column )?(if not exists )?(?!constraint)\S+ .*\bnot null\b/i,
    'adds a column that old images do not fill',
    filled,
  ],
  [/^add (constraint|unique|primary|check|foreign|exclude)\b/i, 'adds a rule that old images may break'],
  [/^detach /i, 'takes rows away'],
];

const statements: readonly Rule[] = [
  [/^drop (?!index concurrently)/i, 'takes something away'],
  [/^drop index concurrently/i, 'takes an index away that old images may need'],
  [/^alter (?!table|type .* add value|default privileges|sequence)\S+ .*\brename\b/i, 'renames something'],
  [/^alter type (?!.* add value)/i, 'changes a type'],
  [/^(truncate|delete from)\b/i, 'removes rows'],
  [/^revoke\b/i, 'takes rights away'],
];

export function checkMigrations(root: string): Outcome {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const repository = readRepository(root);
  return outcomeOf(
    repositoryFaults(repository, version),
    `${baseline.size} of the first version, all later ones expand`,
  );
}

/** Every migration of the repository but the first version's, whose files must all exist. */
export function repositoryFaults({ files }: Repository, version: string, known = baseline): string[] {
  const all = [...files].filter(([path]) => /^services\/[^/]+\/(prisma\/)?migrations\/.*\.sql$/.test(path));
  return [
    ...[...known].filter((path) => !files.has(path)).map((path) => `${path} is gone: databases have applied it`),
    ...all
      .filter(([path]) => !known.has(path))
      .flatMap(([path, sql]) => migrationFaults(sql, version).map((fault) => `${path} ${fault}`)),
    ...all
      .map(([path]) => (basename(path) === 'migration.sql' ? basename(dirname(path)) : basename(path)))
      .filter((name) => !/^\d{4}_[a-z0-9_]+(\.sql)?$/.test(name))
      .map((name) => `${name}: a migration is called like 0004_what_it_does`),
  ];
}

/** Violations in one new file; a contracting one must name an earlier version. */
export function migrationFaults(sql: string, version: string): string[] {
  return [...compatibilityFaults(sql, version), ...lockFaults(sql)];
}

function compatibilityFaults(sql: string, version: string): string[] {
  const since = /^--\s*contract: since (\S+)\s*$/m.exec(sql)?.[1];
  if (since === undefined)
    return expandFaults(sql).map((fault) => `${fault} (expand only, or say \`-- contract: since <version>\`)`);
  if (!/^\d+\.\d+\.\d+$/.test(since)) return [`contracts since '${since}', which is no version`];
  return below(since, version)
    ? []
    : [`contracts since ${since}, but images of the version before ${version} still need what it takes away`];
}

/** SQL in one migration that breaks images of the previous version. */
export function expandFaults(sql: string): string[] {
  const file = statementsOf(sql);
  const made = tablesMadeIn(file);
  return file.flatMap((statement) => {
    const rule = statements.find(([pattern]) => pattern.test(statement));
    return [
      ...(rule ? [`${rule[1]}: ${statement}`] : []),
      ...alterFaults(statement, file, made),
      ...indexFaults(statement, file, made),
    ];
  });
}

function alterFaults(statement: string, file: readonly string[], made: ReadonlySet<string>): string[] {
  const [, table, rest = ''] = /^alter table (?:if exists )?(?:only )?(\S+) (.*)$/i.exec(statement) ?? [];
  if (table === undefined || made.has(tableOf(table))) return [];
  return partsOf(rest).flatMap((part) => {
    const rule = actions.find(([pattern]) => pattern.test(part));
    return rule && rule[2]?.(part, file) !== true ? [`${rule[1]}: ALTER TABLE ${table} ${part}`] : [];
  });
}

function indexFaults(statement: string, file: readonly string[], made: ReadonlySet<string>): string[] {
  const index = /^create (unique )?index (concurrently )?(?:if not exists )?(?:\S+ )?on (?:only )?([^\s(]+)/i.exec(
    statement,
  );
  if (!index || made.has(tableOf(index[3]))) return [];
  return [
    ...(index[1] === undefined ? [] : [`adds a rule that old images may break: ${statement}`]),
    ...(index[2] !== undefined && file.length > 1
      ? [`builds an index CONCURRENTLY, which must be the only statement of its file: ${statement}`]
      : []),
  ];
}

function below(a: string, b: string): boolean {
  const [x, y] = [numbers(a), numbers(b)];
  const at = x.findIndex((number, index) => number !== y[index]);
  return at >= 0 && (x[at] ?? 0) < (y[at] ?? 0);
}

function numbers(version: string): number[] {
  return version.split('.').map(Number);
}

/** Whether the column definition provides a value for images that do not know the column. */
function filled(part: string): boolean {
  return /\b(default|generated|(small|big)?serial)\b/i.test(part);
}

function setsDefault(part: string, file: readonly string[]): boolean {
  const column = /alter (?:column )?("?\w+"?) set not null/i.exec(part)?.[1] ?? '';
  return file.some((statement) => new RegExp(`alter (column )?${column} set default`, 'i').test(statement));
}
