/**
 * Long locks: a migration runs while the service does, and a table of the first version may have millions of rows. A
 * scan or rewrite under a lock blocks readers or writers for as long. A file whose locks are brief for a reason not
 * visible here (a table that stays small, a constraint validated before) says so: `-- brief lock: <reason>`.
 */
import { partsOf, statementsOf, tableOf, tablesMadeIn } from './sql.ts';

type Rule = readonly [pattern: RegExp, fault: string];

/** Values that differ from row to row cannot be stored once, in the catalog. */
const volatileValue =
  /\b(default .*\b(random|gen_random_uuid|uuid_generate_\w+|clock_timestamp|timeofday|nextval)\(|(small|big)?serial\b|generated .*(stored|identity))/i;

/** What a new column may include. */
const ofColumns: readonly Rule[] = [
  [volatileValue, 'rewrites the table under an exclusive lock'],
  [/ (unique|primary key)\b/i, 'builds an index under an exclusive lock, for want of USING INDEX'],
  [/ (check ?\(|references )/i, 'scans the table under a lock, for want of a constraint that is NOT VALID'],
];

/** Actions of an ALTER TABLE on a table with rows. */
const actions: readonly Rule[] = [
  [/^alter (column )?\S+ set not null/i, 'scans the table under an exclusive lock'],
  [/^alter (column )?\S+ (set data )?type /i, 'rewrites the table under an exclusive lock'],
  [/^set (logged|unlogged|tablespace|access method)\b/i, 'rewrites the table under an exclusive lock'],
  [
    /^add (constraint \S+ )?(check|foreign key)\b(?!.*\bnot valid\b)/i,
    'scans the table under a lock, for want of NOT VALID',
  ],
  [
    /^add (constraint \S+ )?(unique|primary key|exclude)\b(?!.*\busing index\b)/i,
    'builds an index under an exclusive lock, for want of USING INDEX',
  ],
];

const statements: readonly Rule[] = [
  [/^(lock( table)?|cluster|vacuum full)\b/i, 'locks a table for long'],
  [/^reindex (?!.*\bconcurrently\b)/i, 'locks a table for long, for want of CONCURRENTLY'],
  [/^refresh materialized view (?!concurrently)/i, 'locks a view for long, for want of CONCURRENTLY'],
];

/** What one migration does to tables in use for longer than a moment. */
export function lockFaults(sql: string): string[] {
  if (/^--\s*brief lock: \S/m.test(sql)) return [];
  const file = statementsOf(sql);
  const made = tablesMadeIn(file);
  return [
    ...file.flatMap((statement) => {
      const rule = statements.find(([pattern]) => pattern.test(statement));
      return [
        ...(rule ? [`${rule[1]}: ${statement}`] : []),
        ...alterFaults(statement, made),
        ...indexFaults(statement, made),
      ];
    }),
    ...longTransactionFaults(file, made),
  ];
}

function alterFaults(statement: string, made: ReadonlySet<string>): string[] {
  const altered = alterationOf(statement);
  if (altered === undefined || made.has(altered.table)) return [];
  return partsOf(altered.actions).flatMap((part) => {
    const rules = isNewColumn(part) ? ofColumns : actions;
    const fault = rules.find(([pattern]) => pattern.test(part))?.[1];
    return fault === undefined ? [] : [`${fault}: ALTER TABLE ${altered.table} ${part}`];
  });
}

function indexFaults(statement: string, made: ReadonlySet<string>): string[] {
  const pattern = /^create (?:unique )?index (concurrently )?(?:if not exists )?(?:\S+ )?on (?:only )?([^\s(]+)/i;
  const [whole, concurrently, table] = pattern.exec(statement) ?? [];
  if (whole === undefined || concurrently !== undefined || made.has(tableOf(table))) return [];
  return [`stops every writer while it is built, for want of CONCURRENTLY: ${statement}`];
}

/** One file is one transaction: a lock that its first statement takes is held while the others touch every row. */
function longTransactionFaults(file: readonly string[], made: ReadonlySet<string>): string[] {
  const locking = file.filter((statement) => {
    const altered = alterationOf(statement);
    return altered !== undefined && !made.has(altered.table) && !isValidation(altered.actions);
  });
  const touching = file.filter(
    (statement) =>
      /^(with .*\)\s*)?(update|delete from|insert into .*\bselect\b)/i.test(statement) ||
      isValidation(alterationOf(statement)?.actions ?? ''),
  );
  if (locking.length === 0) return [];
  return touching.map((statement) => `needs a file of its own, without the locks of this one: ${statement}`);
}

function isValidation(action: string): boolean {
  return /^validate constraint\b/i.test(action);
}

function isNewColumn(action: string): boolean {
  return /^add (column )?(?!(constraint|check|foreign key|unique|primary key|exclude)\b)/i.test(action);
}

function alterationOf(statement: string): { readonly table: string; readonly actions: string } | undefined {
  const [, table, rest = ''] = /^alter table (?:if exists )?(?:only )?(\S+) (.*)$/i.exec(statement) ?? [];
  return table === undefined ? undefined : { table: tableOf(table), actions: rest };
}
