/**
 * Writes the tables in openapi.yaml and, from it and the .proto files, `generated/`, or the given folder. `npm run check` fails when
 * `generated/` is not current.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withTables } from './contract-tables.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const output = resolve(root, process.argv[2] ?? 'generated');
function run(tool: string, args: string[]): void {
  execFileSync(`${root}node_modules/.bin/${tool}`, args, { cwd: root, stdio: 'inherit' });
}

rmSync(output, { recursive: true, force: true });
run('proto-loader-gen-types', [
  '--longs=Number',
  '--enums=String',
  '--defaults',
  '--oneofs',
  '--includeComments',
  '--grpcLib=@grpc/grpc-js',
  '--importFileExtension=.ts',
  '--inputTemplate=%s',
  '--outputTemplate=%sOut',
  '-I',
  '.',
  '-O',
  output,
  ...globSync('vds/**/*.proto', { cwd: root }).sort(),
]);
writeFileSync(join(output, 'event-messages.ts'), eventMessages());
const contract = join(root, 'openapi.yaml');
const current = withTables(readFileSync(contract, 'utf8'));
if (process.argv[2] === undefined) writeFileSync(contract, current);
// A field with a default may be omitted: requests need not contain it.
run('openapi-typescript', ['openapi.yaml', '--default-non-nullable=false', '--output', join(output, 'openapi.ts')]);

/** A type with every message of the events by its full name: what is sent, and what is received. */
function eventMessages(): string {
  const rows = globSync('vds/*/v1/*_events.proto', { cwd: root })
    .toSorted()
    .flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/^message (\w+)/gm)].map(([, name]) => {
        const types = `import('./${dirname(path)}/${name}.ts')`;
        return `  '${dirname(path).replaceAll('/', '.')}.${name}': { in: ${types}.${name}; out: ${types}.${name}Out };\n`;
      }),
    );
  return `export type EventMessages = {\n${rows.join('')}};\n`;
}
