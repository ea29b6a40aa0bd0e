/** Lists of values in `charts/<chart>/ci/<kind>/*.yaml`, each merged over the required values of its chart and rendered. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { output, type Output } from '../outcome.ts';
import { concurrently, templateArguments } from '../release.ts';

export type Case = {
  /** What is wrong, or unusual. */
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Name of the release, if that is what is wrong. */
  readonly release?: string;
};

/** How many cases there are, and the faults that `judge` finds in what helm says of each. */
export async function checkCases<Own extends Case>(
  root: string,
  helm: string,
  kind: 'rejected' | 'unusual',
  judge: (one: Own, said: Output) => string[],
): Promise<{ count: number; faults: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), `vds-${kind}-`));
  const files = globSync(`charts/*/ci/${kind}/*.yaml`, { cwd: root }).toSorted();
  const cases = files.flatMap((file) =>
    (parse(readFileSync(join(root, file), 'utf8')) as Own[]).map((one) => ({ one, file })),
  );
  try {
    const found = await concurrently.map(cases, async ({ one, file }, index) => {
      const chart = file.split('/')[1] ?? '';
      const values = join(folder, `${index}.yaml`);
      writeFileSync(values, JSON.stringify(one.values));
      const required = globSync(`charts/${chart}/ci/required-values.yaml`, { cwd: root });
      const args = [...templateArguments(chart, one.release), ...[...required, values].flatMap((path) => ['-f', path])];
      return judge(one, await output(helm, args, { cwd: root })).map(
        (fault) => `${basename(file)}: ${one.name}: ${fault}`,
      );
    });
    return { count: cases.length, faults: found.flat() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
