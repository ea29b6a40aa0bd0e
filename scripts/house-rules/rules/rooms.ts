/** Every service has the same rooms, so that who knows one finds the way in all. */
import { filesThat, servicesOf, type Repository, type Rule } from '../repository.ts';

const inRoom = new Set(['README.md', 'bench', 'package.json', 'prisma', 'prisma.config.ts', 'src', 'test']);
const inSource = new Set(['config.ts', 'domain', 'inbound', 'main.ts', 'outbound']);
const inChassis = new Set(['README.md', 'migrations', 'package.json', 'src', 'test']);

/** What every service must have: a name for the message and the pattern inside the room. */
const required: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['README.md', /^README\.md$/],
  ['package.json', /^package\.json$/],
  ['src/main.ts', /^src\/main\.ts$/],
  ['src/config.ts', /^src\/config\.ts$/],
  ['a file in src/domain/', /^src\/domain\/.+\.ts$/],
  ['a door in src/inbound/', /^src\/inbound\/.+\.ts$/],
  ['a test in test/', /^test\/.+\.test\.ts$/],
];

/** What a service that stores rows must have, all or nothing. */
const stores: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['prisma/schema.prisma', /^prisma\/schema\.prisma$/],
  ['prisma.config.ts', /^prisma\.config\.ts$/],
  ['prisma/migrations/migration_lock.toml', /^prisma\/migrations\/migration_lock\.toml$/],
  ['a migration', /^prisma\/migrations\/[^/]+\/migration\.sql$/],
];

export const rooms: Rule = {
  name: 'every service has its rooms and no others',
  breaches: (repository) => [
    ...strangers('_chassis', pathsIn(repository, '_chassis'), inChassis),
    ...servicesOf(repository).flatMap((room) => {
      const paths = pathsIn(repository, room);
      const hasRows = paths.some((path) => path.startsWith('prisma'));
      return [
        ...missing(room, paths, required),
        ...(hasRows ? missing(room, paths, stores) : []),
        ...strangers(room, paths, inRoom),
        ...strangers(room, paths, inSource, 'src/'),
      ];
    }),
  ],
};

function missing(room: string, paths: readonly string[], wanted: typeof required): string[] {
  return wanted
    .filter(([, pattern]) => !paths.some((path) => pattern.test(path)))
    .map(([what]) => `services/${room} lacks ${what}`);
}

function pathsIn(repository: Repository, room: string): string[] {
  return filesThat(repository, new RegExp(`^services/${room}/`)).map(([path]) =>
    path.slice(`services/${room}/`.length),
  );
}

function strangers(room: string, paths: readonly string[], allowed: ReadonlySet<string>, under = ''): string[] {
  const entries = paths
    .filter((path) => path.startsWith(under))
    .map((path) => path.slice(under.length).split('/')[0] ?? '');
  return [...new Set(entries)]
    .filter((entry) => !allowed.has(entry))
    .map((entry) => `services/${room}/${under}${entry} is not part of the room plan`);
}
