import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';

type Block = {
  readonly priority?: string;
  readonly affinity?: object;
  readonly resources?: { readonly requests?: { readonly cpu?: string } };
};
type Values = { readonly defaults?: Block; readonly components?: Readonly<Record<string, Block>> };

const root = fileURLToPath(new URL('../../../..', import.meta.url));
function read(file: string): Values {
  return parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as Values;
}
function millicores(cpu: string): number {
  return cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : 1_000 * Number(cpu);
}

describe('the requests of CPU', () => {
  const chart = read('charts/vds/values.yaml');
  /** A node shares its processors by requests, so a component's request is its weight. */
  const sharesOf = (values: Values) =>
    Object.entries(chart.components ?? {}).map(([name, own]) => {
      // The order in which Helm merges: a later block wins.
      const blocks = [chart.defaults, values.defaults, own, values.components?.[name]];
      const cpus = blocks.flatMap((block) => block?.resources?.requests?.cpu ?? []);
      const isApart = blocks.some((block) => Object.keys(block?.affinity ?? {}).length > 0);
      return { name, isApart, serves: own.priority === 'serving', cpu: millicores(cpus.at(-1) ?? '0') };
    });

  for (const file of globSync('deploy/values/*.yaml', { cwd: root }))
    it(`with ${file} no worker outweighs a component that serves on its node`, () => {
      const shares = sharesOf(read(file));
      const least = Math.min(...shares.filter(({ serves }) => serves).map(({ cpu }) => cpu));
      const heavy = shares.filter(({ serves, isApart, cpu }) => !serves && !isApart && cpu > least);
      expect(least).to.be.greaterThan(0);
      expect(heavy.map(({ name, cpu }) => `${name} ${cpu} of ${least}`)).to.deep.equal([]);
    });
});
