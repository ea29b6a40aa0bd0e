/** No table only grows: its owner says how long rows are kept, or why there cannot be too many, and the guide repeats it. */
import { filesThat, servicesOf, type Repository, type Rule } from '../repository.ts';

const guide = 'deploy/guide/retention.md';
const chassisTables = 'services/_chassis/src/database/retention.ts';

/** Tables of some migrations, with their schema unless that is `public`. */
function tablesIn(repository: Repository, folder: string): string[] {
  const sql = filesThat(repository, /\.sql$/).flatMap(([path, text]) => (path.startsWith(folder) ? [text] : []));
  const all = sql.join('\n').replaceAll(/--[^\n]*/g, '');
  const named = (pattern: RegExp): string[] => [...all.matchAll(pattern)].map(([, name = '']) => name);
  const dropped = new Set(named(/\bdrop table (?:if exists )?"?([\w.]+)"?/gi));
  return named(/\bcreate (?:unlogged )?table (?:if not exists )?"?([\w.]+)"?/gi).filter((name) => !dropped.has(name));
}

function missing(repository: Repository, owner: string, folder: string, file: string): string[] {
  const code = repository.files.get(file) ?? '';
  const pages = repository.files.get(guide) ?? '';
  return tablesIn(repository, folder).flatMap((table) => {
    const key = table.includes('.') ? `'${table}':` : `${table}:`;
    const name = table.includes('.') ? table : `${owner}.${table}`;
    return [
      ...(new RegExp(`^\\s*${key}`, 'm').test(code) ? [] : [`${file} does not say how long rows of ${table} are kept`]),
      ...(pages.includes(`\`${name}\``) ? [] : [`${guide} does not name \`${name}\``]),
    ];
  });
}

export const retention: Rule = {
  name: 'every table has its retention, in code and in the guide, and its service carries it out',
  breaches: (repository) => [
    ...missing(repository, 'chassis', 'services/_chassis/migrations/', chassisTables),
    ...servicesOf(repository).flatMap((service) => {
      const folder = `services/${service}/prisma/migrations/`;
      if (tablesIn(repository, folder).length === 0) return [];
      const main = `services/${service}/src/main.ts`;
      const isStarted = repository.files.get(main)?.includes('startRetention(') === true;
      return [
        ...missing(repository, service, folder, `services/${service}/src/outbound/retention.ts`),
        ...(isStarted ? [] : [`${main} does not start the retention of its tables`]),
      ];
    }),
  ],
};
