/** Writes `generated/` from the .proto files and openapi.yaml. `npm run check` fails when it is not current. */
import { execFileSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
const run = (tool: string, args: string[]): void => {
  execFileSync(`${root}node_modules/.bin/${tool}`, args, { cwd: root, stdio: 'inherit' });
};

rmSync(`${root}generated`, { recursive: true, force: true });
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
  'generated',
  ...globSync('vds/**/*.proto', { cwd: root }).sort(),
]);
run('openapi-typescript', ['openapi.yaml', '--output', 'generated/openapi.ts']);
