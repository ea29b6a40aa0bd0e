/**
 * KEDA, built by Go into the tools folder, from a module whose checksum Go verifies. Its go.mod replaces other modules,
 * which `go install <package>@<version>` rejects; so it is built in the folder where Go unpacked it, by its own go.sum.
 */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { find, run, toolsDir } from '../servers/command.ts';
import { goToolchain } from './go-programs.ts';
import { step } from '../servers/progress.ts';

const MODULE = 'github.com/kedacore/keda/v2@v2.21.0';

export type Keda = {
  readonly operator: string;
  readonly adapter: string;
  /** Folder with the manifests of its kinds. */
  readonly kinds: string;
};

/** Its path; null if it has to be built first. */
export function keda(): Keda | null {
  const [operator, adapter] = [find('keda-operator'), find('keda-adapter')];
  const kinds = join(toolsDir(), 'keda', 'kinds');
  return operator === null || adapter === null || !existsSync(kinds) ? null : { operator, adapter, kinds };
}

/** Builds it; an interrupted build leaves nothing. */
export async function installKeda(): Promise<void> {
  const go = await goToolchain('keda');
  const part = join(toolsDir(), `keda.part-${process.pid}`);
  try {
    await step(`go install, inside ${MODULE} (many minutes, once)`, async () => {
      const { Dir: module } = JSON.parse(await run(go, ['mod', 'download', '-json', MODULE])) as { Dir: string };
      const programs = ['./cmd/operator', './cmd/adapter'];
      const env = { ...process.env, GOBIN: part };
      await run(go, ['install', '-mod=readonly', '-ldflags', '-s -w', ...programs], { cwd: module, env });
      cpSync(join(module, 'config/crd/bases'), join(part, 'kinds'), { recursive: true });
    });
    const [bin, kinds] = [join(toolsDir(), 'bin'), join(toolsDir(), 'keda', 'kinds')];
    rmSync(kinds, { recursive: true, force: true });
    for (const folder of [bin, join(toolsDir(), 'keda')]) mkdirSync(folder, { recursive: true });
    renameSync(join(part, 'kinds'), kinds);
    for (const name of ['operator', 'adapter']) renameSync(join(part, name), join(bin, `keda-${name}`));
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}
