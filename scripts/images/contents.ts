/**
 * What is in the images beside the operating system's files: files of the repository, and packages by who imports them.
 * `media` has what `app` has. Packages that nobody here names, and files of packages that nothing reads at run time
 * (see package-files.ts), stay outside.
 */
import { matchesGlob } from 'node:path/posix';

export type Tree = 'app' | 'migrate';

export type Contents = {
  /** Patterns of paths from the root; generated files are among them. */
  readonly files: readonly string[];
  /** Folder of the importer → what it imports; `dependencies` means all of that section of its package.json. */
  readonly importers: Readonly<Record<string, 'dependencies' | readonly string[]>>;
  /** Programs that must start in it. */
  readonly programs: readonly string[];
};

export const contents: Readonly<Record<Tree, Contents>> = {
  app: {
    files: [
      // The definitions of the wire are read at run time; so is the partners' contract.
      'proto/{*.ts,package.json,openapi.yaml,documents/**,vds/**,generated/**}',
      'services/_chassis/{package.json,src/**}',
      'services/*/{package.json,src/**,generated/**}',
      // Each service knows by them what its schema must have.
      'services/_chassis/migrations/**',
      'services/*/prisma/migrations/**',
      'scripts/{package.json,vdsctl/**,release-test.ts,release-test/**}',
    ],
    importers: {
      proto: 'dependencies',
      'services/*': 'dependencies',
      scripts: ['@vds/proto', '@vds/chassis', 'commander'],
    },
    programs: ['services/*/src/main.ts', 'scripts/vdsctl/main.ts', 'scripts/release-test.ts'],
  },
  migrate: {
    files: [
      'services/_chassis/{package.json,migrations/**}',
      'services/_chassis/src/{bus/names,config/config,database/database-url,database/prisma-settings,errors,objects/objects,process/pause}.ts',
      'services/*/{package.json,prisma.config.ts,prisma/**}',
      'scripts/{package.json,migrate.ts,provision.ts}',
      'scripts/house/{migrations,migration-lock,prisma-migrations}.ts',
      // What prepares the servers of chart vds-devdeps.
      'scripts/house/{buckets,databases,names,nats-account,s3-admin,services}.ts',
      'proto/{*.ts,package.json,vds/**,generated/**}',
      'scripts/cluster/{component-keys,provision-config,provision-steps,secret-files,servers-answer}.ts',
    ],
    importers: {
      'services/_chassis': ['@grpc/grpc-js', '@prisma/adapter-pg', 'minio', 'pg'],
      // Whoever has a database has the tool that migrates it.
      'services/*': ['@vds/chassis', 'prisma'],
      proto: 'dependencies',
      scripts: ['@vds/proto', '@vds/chassis', 'pg'],
    },
    programs: ['scripts/migrate.ts', 'scripts/provision.ts'],
  },
};

/** Tests and the notes of humans are in no image. */
const neverIn = ['**/*.test.ts', '**/test/**', '**/testing/**', '**/README.md', 'proto/generate.ts', 'proto/client/**'];

/** Whether a file of the repository is in the images of this tree. */
export function isIn(tree: Tree, path: string): boolean {
  return (
    contents[tree].files.some((pattern) => matchesGlob(path, pattern)) &&
    !neverIn.some((pattern) => matchesGlob(path, pattern))
  );
}
