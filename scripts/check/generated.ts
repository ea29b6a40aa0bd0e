/** Whether committed generated files are current: they are generated again and compared. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { warehouseFiles } from '@vds/analytics/warehouse';
import { CHART_FILES, chartFiles } from './charts/generated-files.ts';
import { output, outcomeOf, type Outcome } from './charts/outcome.ts';
import { documents } from '../generate/documents.ts';
import { noticeOf } from '../generate/notice.ts';

export async function checkGenerated(root: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'vds-generated-'));
  try {
    const { code, text } = await output(process.execPath, [join(root, 'proto/generate.ts'), folder], { cwd: root });
    if (code !== 0) return { state: 'failed', detail: text };
    const faults = differences(filesBelow(join(root, 'proto/generated')), filesBelow(folder));
    return outcomeOf([
      ...faults,
      ...(faults.length > 0 ? ['run: npm run generate -- contracts'] : []),
      ...committedFaults(root, CHART_FILES, chartFiles(), 'chart'),
      ...committedFaults(root, 'deploy/warehouse', warehouseFiles(), 'warehouse'),
      ...documentFaults(root),
      ...committedFaults(root, '.', { NOTICE: noticeOf(root) }, 'notice'),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Differences between the generated files as committed and as generated now. */
export function differences(is: ReadonlyMap<string, string>, should: ReadonlyMap<string, string>): string[] {
  return [...new Set([...is.keys(), ...should.keys()])].toSorted().flatMap((path) => {
    if (!should.has(path)) return [`proto/generated/${path} is generated from nothing`];
    if (!is.has(path)) return [`proto/generated/${path} is missing`];
    return is.get(path) === should.get(path) ? [] : [`proto/generated/${path} is not current`];
  });
}

/** Documents whose lists are not what the code has. */
function documentFaults(root: string): string[] {
  const stale = documents(root).filter(({ committed, current }) => committed !== current);
  const faults = stale.map(({ path }) => `the lists in ${path} are not current`);
  return faults.length > 0 ? [...faults, 'run: npm run generate -- documents'] : [];
}

/** Relative path → text of every file below `folder`. */
function filesBelow(folder: string): Map<string, string> {
  return new Map(globSync('**/*.ts', { cwd: folder }).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** Files of a folder that are generated from tables: the settings of the servers' chart, the SQL of the warehouse. */
function committedFaults(
  root: string,
  folder: string,
  files: Readonly<Record<string, string>>,
  part: string,
): string[] {
  const current = (name: string): string => {
    const file = join(root, folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const stale = Object.entries(files).filter(([name, text]) => current(name) !== text);
  const faults = stale.map(([name]) => `${folder}/${name} is not current`);
  return faults.length > 0 ? [...faults, `run: npm run generate -- ${part}`] : [];
}
