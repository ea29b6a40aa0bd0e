/** Every service has the same layout. */
import { filesThat, servicesOf, type Repository, type Rule } from '../repository.ts';

const inService = new Set(['README.md', 'reference.md', 'package.json', 'prisma', 'prisma.config.ts', 'src', 'test']);
const inSource = new Set(['config.ts', 'domain', 'inbound', 'main.ts', 'outbound']);
const inChassis = new Set(['README.md', 'reference.md', 'migrations', 'package.json', 'patches', 'src', 'test']);

/** Required in every service: a name for the message, and the pattern inside the service. */
const required: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['README.md', /^README\.md$/],
  ['package.json', /^package\.json$/],
  ['src/main.ts', /^src\/main\.ts$/],
  ['src/config.ts', /^src\/config\.ts$/],
  ['a file in src/domain/', /^src\/domain\/.+\.ts$/],
  ['a file in src/inbound/', /^src\/inbound\/.+\.ts$/],
  ['a test in test/', /^test\/.+\.test\.ts$/],
];

/** Required in a service that stores rows, all or nothing. */
const stores: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['prisma/schema.prisma', /^prisma\/schema\.prisma$/],
  ['prisma.config.ts', /^prisma\.config\.ts$/],
  ['prisma/migrations/migration_lock.toml', /^prisma\/migrations\/migration_lock\.toml$/],
  ['a migration', /^prisma\/migrations\/[^/]+\/migration\.sql$/],
];

const STAGE = /^src\/inbound\/(.+-)?stage\.ts$/;
/** Required in a service that runs a stage: the story of its jobs in one place, and its purges in another. */
const runsStage: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a job in src/domain/jobs/', /^src\/domain\/jobs\/.+\.ts$/],
  ['src/outbound/purge.ts', /^src\/outbound\/purge\.ts$/],
];

export const serviceLayout: Rule = {
  name: 'every service has the layout of services and nothing else',
  breaches: (repository) => [
    ...unknownFolders('_chassis', pathsIn(repository, '_chassis'), inChassis),
    ...servicesOf(repository).flatMap((service) => {
      const paths = pathsIn(repository, service);
      const hasRows = paths.some((path) => path.startsWith('prisma'));
      return [
        ...missing(service, paths, required),
        ...(hasRows ? missing(service, paths, stores) : []),
        ...(paths.some((path) => STAGE.test(path)) ? missing(service, paths, runsStage) : []),
        ...unknownFolders(service, paths, inService),
        ...unknownFolders(service, paths, inSource, 'src/'),
      ];
    }),
  ],
};

function missing(service: string, paths: readonly string[], wanted: typeof required): string[] {
  return wanted
    .filter(([, pattern]) => !paths.some((path) => pattern.test(path)))
    .map(([what]) => `services/${service} lacks ${what}`);
}

function pathsIn(repository: Repository, service: string): string[] {
  return filesThat(repository, new RegExp(`^services/${service}/`)).map(([path]) =>
    path.slice(`services/${service}/`.length),
  );
}

function unknownFolders(service: string, paths: readonly string[], allowed: ReadonlySet<string>, under = ''): string[] {
  const entries = paths
    .filter((path) => path.startsWith(under))
    .map((path) => path.slice(under.length).split('/')[0] ?? '');
  return [...new Set(entries)]
    .filter((entry) => !allowed.has(entry))
    .map((entry) => `services/${service}/${under}${entry} is not part of the layout`);
}
