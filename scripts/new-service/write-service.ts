/** Adds a new stage to a tree: a row in each table of stages, its folder, its messages; and its service's deployment. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Insert = {
  readonly path: string;
  /** Occurs once in the file; the text is inserted before the first `before` below it. */
  readonly below: string;
  readonly before: string;
  readonly text: string;
};

const inserts: readonly Insert[] = [
  {
    path: 'proto/stages.ts',
    below: 'export const stages = {',
    before: '} as const',
    text: `  {{name}}: { owner: '{{name}}', milestones: {} },\n`,
  },
  {
    path: 'services/catalog/src/domain/stages.ts',
    below: 'const rows: ',
    before: '};\n',
    text: `  {{name}}: { needs: [{ stage: 'encode', reached: 'completed' }], blocksReady: false, weight: 0 },\n`,
  },
  {
    path: 'deploy/tools/services.ts',
    below: 'export const services = {',
    before: '} as const satisfies',
    text: `  {{name}}: { database: true, ownsBuckets: [], readsBuckets: ['media'], ports: [], peers: [] },\n`,
  },
  {
    path: 'charts/vds/values.yaml',
    below: '\ncomponents:',
    before: '\n',
    text: `
  # -- What {{name}} does, in a few words.
  # @default -- see values.yaml
  {{name}}:
    database: true
    events: true
    buckets: [media]`,
  },
];

const repository = fileURLToPath(new URL('../..', import.meta.url));
const template = fileURLToPath(new URL('template/', import.meta.url));
/** Elsewhere than in the service's folder, or under a name that a rule of this repository excludes from the template's. */
const targets: Readonly<Record<string, string>> = {
  'events.proto': 'proto/vds/{{name}}/v1/{{name}}_events.proto',
  'readme.md': 'services/{{name}}/README.md',
};

/**
 * @param root folder that has `services/`
 * @throws Error if the name is invalid or taken, or a table has no place for its row; nothing was written then
 */
export function writeService(root: string, name: string): void {
  if (!/^[a-z][a-z0-9]{1,19}$/.test(name))
    throw new Error(`'${name}' cannot be the name of a service: 2 to 20 small letters and digits, a letter first`);
  for (const folder of [`services/${name}`, `proto/vds/${name}`])
    if (existsSync(join(root, folder))) throw new Error(`${folder} already exists`);
  const files = { ...rows(root, name), ...serviceFiles(name) };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  // Line lengths depend on the name.
  const sources = Object.keys(files).filter((path) => /\.(ts|json|yaml)$/.test(path));
  const command = join(repository, 'node_modules/.bin/oxfmt');
  execFileSync(command, ['-c', join(repository, '.oxfmtrc.json'), ...sources], { cwd: root, stdio: 'pipe' });
}

/** Path → text of the tables with their new rows. */
function rows(root: string, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    inserts.map(({ path, below, before, text }) => {
      const [above, rest = '', ...more] = readFileSync(join(root, path), 'utf8').split(below);
      const at = rest.indexOf(before);
      if (at < 0 || more.length > 0) throw new Error(`${path} has no '${below.trim()}' with a place for a row`);
      return [path, `${above}${below}${rest.slice(0, at)}${fill(text, name)}${rest.slice(at)}`];
    }),
  );
}

/** Path → text of the new files: a working stage with one job, which satisfies every rule of the repository. */
function serviceFiles(name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    globSync('**/*.txt', { cwd: template }).map((path) => {
      const target = path.slice(0, -'.txt'.length);
      return [
        fill(targets[target] ?? `services/{{name}}/${target}`, name),
        fill(readFileSync(join(template, path), 'utf8'), name),
      ];
    }),
  );
}

/** `{{name}}` → lens, `{{Name}}` → Lens. */
function fill(text: string, name: string): string {
  return text.replaceAll('{{name}}', name).replaceAll('{{Name}}', `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
}
