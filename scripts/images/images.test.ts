import { expect } from 'chai';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isIn } from './contents.ts';
import { originOf, stageContext } from './context.ts';
import { isNeeded } from './package-files.ts';
import { reachable } from './reachable.ts';

describe('the contents of an image', () => {
  it('an image contains code and licences of packages, not their documents, types, maps and tests', () => {
    for (const path of ['index.js', 'dist/x.mjs', 'package.json', 'LICENSE.md', 'lib/test/util.js', 'x.wasm'])
      expect(isNeeded('some', path), path).to.equal(true);
    for (const path of ['index.d.ts', 'index.js.map', 'README.md', 'test/a.js', 'docs/x.js', 'src/a.ts', '.bin/x'])
      expect(isNeeded('some', path), path).to.equal(false);
  });

  it('an image contains of Prisma’s client what PostgreSQL needs', () => {
    expect(isNeeded('@prisma/client', 'runtime/query_compiler_bg.postgresql.wasm-base64.mjs')).to.equal(true);
    expect(isNeeded('@prisma/client', 'runtime/query_compiler_bg.mysql.wasm-base64.mjs')).to.equal(false);
    expect(isNeeded('@prisma/client', 'runtime/client.mjs')).to.equal(true);
    expect(isNeeded('@prisma/client', 'runtime/library.mjs')).to.equal(false);
  });

  it('the image app contains services with their migrations, and migrate only the migrations', () => {
    for (const path of ['services/auth/src/main.ts', 'services/auth/prisma/migrations/0001_init/migration.sql'])
      expect(isIn('app', path), path).to.equal(true);
    expect(isIn('migrate', 'services/auth/prisma/migrations/0001_init/migration.sql')).to.equal(true);
    for (const tree of ['app', 'migrate'] as const)
      expect(isIn(tree, 'services/auth/prisma.config.ts')).to.equal(false);
    expect(isIn('migrate', 'services/auth/src/main.ts')).to.equal(false);
    for (const path of ['provision/print/sql.ts', 'secrets/main.ts', 'secrets/component-folder.ts'])
      expect(isIn('migrate', `deploy/tools/${path}`), path).to.equal(true);
    for (const path of ['services/auth/test/x.ts', 'services/vdsctl/test/key-verbs.test.ts', 'services/auth/README.md'])
      expect(isIn('app', path), path).to.equal(false);
  });
});

describe('the stages of an image', () => {
  it('no two stages of the Dockerfile are equal where one image is the base and the builder', () => {
    const text = readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8');
    const [, ...stages] = text
      .replaceAll(/^#.*\n|^\n/gm, '')
      .replaceAll('--platform=${BUILDPLATFORM} ${BUILDER_IMAGE}', '${NODE_IMAGE}')
      .replaceAll(/ AS \S+$/gm, '')
      .split(/^FROM /m);
    expect(stages).to.have.lengthOf.above(10);
    expect(new Set(stages).size).to.equal(stages.length);
  });
});

describe('the files of an image', function () {
  this.timeout(300_000);
  const root = fileURLToPath(new URL('../..', import.meta.url));
  let out: string;
  before(() => void (out = mkdtempSync(join(tmpdir(), 'image-'))));
  after(() => rmSync(out, { recursive: true }));

  const tool = (name: string, ...args: string[]): string =>
    execFileSync(process.execPath, [join(root, `scripts/images/${name}.ts`), ...args], { encoding: 'utf8' });

  // As each build of an image does.
  for (const tree of ['app', 'migrate'])
    it(`every program of the image ${tree} starts on the files that the image has`, () => {
      tool('assemble', tree, join(out, tree));
      expect(tool('prove', tree, join(out, tree, 'app'))).to.match(/\d+ programs start/);
    });

  it('an image has no machine code of another processor than its own', () => {
    for (const architecture of ['amd64', 'arm64'] as const) {
      const folder = join(out, architecture);
      for (const tree of ['app', 'migrate']) tool('assemble', tree, join(folder, tree), architecture);
      const own = MACHINES[architecture];
      // Of the other processor nothing is installed in a checkout.
      const isInstalled = architecture === (process.arch === 'x64' ? 'amd64' : process.arch);
      expect(machinesIn(folder), architecture).to.deep.equal(new Set(isInstalled ? [own] : []));
    }
  });

  const run = (program: string, args: readonly string[], env: Record<string, string>): string =>
    execFileSync(process.execPath, [`deploy/tools/${program}/main.ts`, ...args], {
      cwd: join(out, 'migrate/app'),
      env: { HOME: '/tmp', ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  it('the image migrate makes Secrets with certificates, and prints SQL with their passwords, without a checkout', () => {
    const folder = join(out, 'components');
    const manifests = run('secrets', ['--release', 'vds', '--namespace', 'video', '--dir', folder], {});
    expect(manifests).to.include('name: vds-apps-tls').and.include('APPS_TOKEN');
    expect(run('provision', ['print', 'sql'], { SECRETS_DIR: folder })).to.include("password 'SCRAM-SHA-256$");
  });
});

describe('the packages of an image', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'packages-'));
    const add = (path: string, content: object): void => {
      mkdirSync(join(root, path), { recursive: true });
      writeFileSync(join(root, path, 'package.json'), JSON.stringify(content));
    };
    const link = (path: string, to: string): void => {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      symlinkSync(join(root, to), join(root, path));
    };
    // As pnpm lays out a package whose machine code is in a package a processor.
    const store = (name: string): string => `node_modules/.pnpm/${name}@1.0.0/node_modules`;
    const optionalDependencies = { 'code-x64': '1.0.0', 'code-arm64': '1.0.0' };
    add('services/one', { dependencies: { code: '1.0.0' } });
    add(`${store('code')}/code`, { name: 'code', optionalDependencies });
    link('services/one/node_modules/code', `${store('code')}/code`);
    for (const cpu of ['x64', 'arm64']) {
      add(`${store(`code-${cpu}`)}/code-${cpu}`, { name: `code-${cpu}`, cpu: [cpu] });
      link(`${store('code')}/code-${cpu}`, `${store(`code-${cpu}`)}/code-${cpu}`);
    }
  });
  after(() => rmSync(root, { recursive: true }));

  for (const cpu of ['x64', 'arm64'])
    it(`of packages for both processors an image for ${cpu} has its own, and no link to the other`, () => {
      const { packages, links } = reachable(root, 'app', cpu);
      expect([...packages.values()]).to.have.members(['code', `code-${cpu}`]);
      expect([...links].map((path) => path.split('/').at(-1))).to.have.members(['code', `code-${cpu}`]);
    });
});

/** The field e_machine of files in the Executable and Linkable Format (System V ABI, chapter 4; elf.h). */
const MACHINES = { amd64: 62, arm64: 183 };

/** Of which processors the programs and libraries of a folder are. */
function machinesIn(folder: string): Set<number> {
  return new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
      .filter((bytes) => bytes.length > 20 && bytes.readUInt32BE(0) === 0x7f454c46)
      .map((bytes) => bytes.readUInt16LE(18)),
  );
}

describe('the build context of an image', () => {
  let root: string;
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.com', ...words], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z', GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z' },
    });
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'context-'));
    git('init', '--quiet');
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'package.json'), '{"version":"1.2.3"}');
    writeFileSync(join(root, '.gitignore'), 'node_modules/\n*.env\n');
    writeFileSync(join(root, 'node_modules/x.js'), '');
    writeFileSync(join(root, 'secret.env'), 'PASSWORD=hush');
    git('add', '.');
    git('commit', '--quiet', '--message', 'first');
  });
  after(() => rmSync(root, { recursive: true }));

  it('the build context of an image has what git tracks, and no other file of the checkout', async () => {
    writeFileSync(join(root, 'secrets.yaml'), 'stringData: { PASSWORD: hush }');
    const folder = await stageContext(root, { 'a-tool': join(root, 'package.json'), 'no-tool': undefined });
    try {
      expect(existsSync(join(folder, 'node_modules'))).to.equal(false);
      expect(existsSync(join(folder, 'secret.env'))).to.equal(false);
      expect(existsSync(join(folder, 'secrets.yaml')), 'a file that nobody has added').to.equal(false);
      expect(existsSync(join(folder, 'package.json'))).to.equal(true);
      expect(readFileSync(join(folder, 'a-tool'), 'utf8')).to.contain('1.2.3');
      expect(readFileSync(join(folder, 'no-tool'), 'utf8')).to.equal('');
    } finally {
      rmSync(folder, { recursive: true });
      rmSync(join(root, 'secrets.yaml'));
    }
  });

  it('the build context of an image has its version, commit and time, and marks a changed checkout as dirty', async () => {
    const origin = await originOf(root, undefined);
    expect(origin).to.deep.equal({ version: '1.2.3', revision: git('rev-parse', 'HEAD').trim(), epoch: 1_767_323_045 });
    writeFileSync(join(root, 'new.txt'), '');
    expect((await originOf(root, '7')).revision).to.match(/^[0-9a-f]{40}-dirty$/);
    expect((await originOf(root, '7')).epoch).to.equal(7);
  });
});

describe('a temporary folder of a build', () => {
  const source = new URL('./temporary-folder.ts', import.meta.url).href;
  const run = (ending: string): Promise<string> =>
    new Promise((resolve) => {
      const code = `import { temporaryFolder } from '${source}'; console.log(temporaryFolder('vds-build-')); ${ending}`;
      const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let folder = '';
      child.stdout.on('data', (data: Buffer) => {
        folder += data.toString();
        if (ending === waits) child.kill('SIGINT');
      });
      child.once('close', () => resolve(folder.trim()));
    });
  const waits = 'setInterval(() => {}, 1_000);';

  for (const [how, ending] of [
    ['normally', ''],
    ['with an error', "throw new Error('no builder');"],
    ['by SIGINT', waits],
  ] as const)
    it(`a temporary folder of a build is removed when the process ends ${how}`, async () => {
      const folder = await run(ending);
      expect(folder).to.contain('vds-build-');
      expect(existsSync(folder)).to.equal(false);
    });
});
