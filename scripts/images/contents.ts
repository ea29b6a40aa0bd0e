/**
 * The contents of the images besides the operating system's files: files of the repository, and packages by their
 * importers. `media` includes `app`. Packages that are not listed here, and package files that are not needed at run
 * time (see package-files.ts), are left out.
 */
import { matchesGlob } from 'node:path/posix';

export type Tree = 'app' | 'migrate';

export type Contents = {
  /** Patterns of paths relative to the root; generated files included. */
  readonly files: readonly string[];
  /** Folder of the importer → its imports; `dependencies` means that entire section of its package.json. */
  readonly importers: Readonly<Record<string, 'dependencies' | readonly string[]>>;
  /** Programs that must start in it. */
  readonly programs: readonly string[];
};

export const contents: Readonly<Record<Tree, Contents>> = {
  app: {
    files: [
      '{LICENSE,NOTICE}',
      // The protobuf definitions are read at run time; so is the partners' contract.
      'proto/{*.ts,package.json,openapi.yaml,documents/**,vds/**,generated/**}',
      'services/_chassis/{package.json,src/**}',
      'services/*/{package.json,src/**,generated/**}',
      // Each service checks its schema against them.
      'services/_chassis/migrations/**',
      'services/*/prisma/migrations/**',
      'deploy/tools/{package.json,release-test/**}',
    ],
    importers: {
      proto: 'dependencies',
      'services/*': 'dependencies',
      'deploy/tools': ['@vds/chassis'],
    },
    programs: ['services/*/src/main.ts', 'deploy/tools/release-test/main.ts'],
  },
  migrate: {
    files: [
      '{LICENSE,NOTICE}',
      'services/_chassis/{package.json,migrations/**}',
      'services/_chassis/src/{async,bus/names,cloud/*,config/{config,times},database/{connection,login},errors,process/current-signal}.ts',
      'services/_chassis/src/{failpoint/{failpoint,names},objects/{left-file,login,objects,removal,storage-error,transport},work/phases}.ts',
      'services/*/{package.json,prisma/**}',
      'deploy/tools/{package.json,installation.ts,services.ts,migrate/**,provision/**,secrets/**}',
      'proto/{*.ts,package.json,vds/**,generated/**}',
    ],
    importers: {
      'services/_chassis': ['@grpc/grpc-js', '@prisma/adapter-pg', '@vds/proto', 'minio', 'p-limit', 'pg', 'undici'],
      proto: 'dependencies',
      'deploy/tools': ['@peculiar/x509', '@vds/chassis', '@vds/proto', 'pg', 'reflect-metadata', 'yaml'],
    },
    programs: ['deploy/tools/{migrate,provision,secrets}/main.ts'],
  },
};

/** No image contains tests or notes for people. */
const neverIn = [
  '**/*.test.ts',
  '**/test/**',
  '**/testing/**',
  '**/README.md',
  'proto/generate.ts',
  'services/{_client,_player,_player-analytics,_testkit}/**',
];

/** Whether a file of the repository is in the images. */
export function isIn(tree: Tree, path: string): boolean {
  return (
    contents[tree].files.some((pattern) => matchesGlob(path, pattern)) &&
    !neverIn.some((pattern) => matchesGlob(path, pattern))
  );
}
