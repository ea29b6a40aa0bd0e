/** The chart lints, renders, starts files that exist, and gives every service the variables that its config.ts reads. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConfigSpec } from '@vds/shared/config';
import { messageOf } from '@vds/shared/errors';
import { goProgram, installGoProgram } from '../servers/go-programs.ts';
import { componentsOf, environmentFaults, type Component } from './chart-environment.ts';
import { output, verdict, type Outcome } from './outcome.ts';

const chart = 'charts/vds';
/** The smallest release, and one with everything on that may be off. */
const variants = ['required', 'everything'].map((name) => ['-f', `${chart}/ci/${name}-values.yaml`]);
/** A pod to run the operator's tool in, which is no service. */
const operator = 'vdsctl';

/** The variables of a service: the specification that its config.ts exports. */
const specOf = async (file: string): Promise<ConfigSpec> => {
  const exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const [name] = Object.keys(exported).filter((key) => /config$/i.test(key));
  if (name === undefined) throw new Error(`${file} exports nothing that is called …Config`);
  return exported[name] as ConfigSpec;
};

const componentFaults = async (root: string, { name, args, variables }: Component): Promise<string[]> => {
  const config = join(root, 'services', name, 'src/config.ts');
  const missing = args.filter((path) => path.endsWith('.ts') && !existsSync(join(root, path)));
  return [
    ...missing.map((path) => `${name}: starts ${path}, which does not exist`),
    ...(existsSync(config)
      ? environmentFaults(name, await specOf(config), variables)
      : [`${name}: has no src/config.ts`]),
  ];
};

const renderFaults = async (root: string, helm: string, values: readonly string[]): Promise<string[]> => {
  const { code, stdout, text } = await output(helm, ['template', 'vds', chart, ...values], { cwd: root });
  if (code !== 0) return [text];
  const services = componentsOf(stdout, 'Deployment').filter(({ name }) => name !== operator);
  const faults = await Promise.all(services.map((one) => componentFaults(root, one)));
  const jobs = componentsOf(stdout, 'Job').flatMap(({ args }) => args.filter((path) => path.endsWith('.ts')));
  const missing = jobs.filter((path) => !existsSync(join(root, path)));
  return [...faults.flat(), ...missing.map((path) => `a Job starts ${path}, which does not exist`)];
};

export const checkChart = async (root: string): Promise<Outcome> => {
  let helm: string;
  try {
    helm = goProgram('helm') ?? (await installGoProgram('helm'));
  } catch (error) {
    return { state: 'skipped', detail: `helm is not on PATH and cannot be built: ${messageOf(error)}` };
  }
  const faults = await Promise.all(variants.map((values) => renderFaults(root, helm, values)));
  return verdict([...new Set(faults.flat())]);
};
