/** Overrides that let a values file of `deploy/values` run on the tests' one small node. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { serviceNames } from '@vds/deploy-tools/services';
import { root } from './command.ts';
import { images } from './images.ts';

type Scaling = { readonly enabled?: boolean; readonly minReplicas?: number };
type Values = {
  readonly external: object;
  readonly trust?: { readonly configMap?: string };
  readonly components: Readonly<
    Record<string, { readonly autoscaling?: Scaling; readonly keda?: Scaling } | undefined>
  >;
};

/** Pods of several releases share one node: requests are small, limits are the file's. */
const requests = { cpu: '10m', memory: '64Mi', 'ephemeral-storage': '16Mi' };

/**
 * The images of the tests, the servers of chart vds-devdeps instead of example addresses, small requests, and
 * autoscalers at their minimum. Everything else is the file's.
 */
export function fittedValues(file: string): object {
  const { components } = readValues(file);
  const { external } = readValues('deploy/values/minimal.yaml');
  const fitted = serviceNames.map((name) => {
    const autoscaling = fewest(components[name]?.autoscaling);
    const keda = fewest(components[name]?.keda);
    return [name, { resources: { requests }, ...(autoscaling && { autoscaling }), ...(keda && { keda }) }] as const;
  });
  return {
    image: { repository: images.repository, tag: images.tag },
    external: {
      ...external,
      // Helm merges maps, so the file's entries are removed key by key.
      postgres: { ...(external as { postgres: object }).postgres, sslMode: 'disable' },
      opensearch: { ...(external as { opensearch: object }).opensearch, user: '' },
    },
    components: Object.fromEntries(fitted),
  };
}

/** The parsed values file. */
export function readValues(file: string): Values {
  return parse(readFileSync(join(root, file), 'utf8')) as Values;
}

/** Scaled as in the file, to the minimum: with the small requests here, usage would read as 900 %. */
function fewest(scaling: Scaling | undefined): object | undefined {
  return scaling?.enabled === true ? { maxReplicas: scaling.minReplicas ?? 2 } : undefined;
}
