/** What a values file of `deploy/values` needs on top to run on the one small node of the tests. */
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

/** Several releases' pods on one node: what they ask for is little, what they may use is the file's. */
const requests = { cpu: '10m', memory: '64Mi', 'ephemeral-storage': '16Mi' };

/**
 * The images of the tests, the servers of chart vds-devdeps instead of the addresses of examples, small requests, and
 * autoscalers that stay at their least. Everything else is the file's.
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
      // A map of the file is merged into, so what it says of them is taken back key by key.
      postgres: { ...(external as { postgres: object }).postgres, sslMode: 'disable' },
      opensearch: { ...(external as { opensearch: object }).opensearch, user: '' },
    },
    components: Object.fromEntries(fitted),
  };
}

/** The values of a file, as they stand there. */
export function readValues(file: string): Values {
  return parse(readFileSync(join(root, file), 'utf8')) as Values;
}

/** Scaled as the file says, to the fewest: the little that is asked for here would else read as a load of 900 %. */
function fewest(scaling: Scaling | undefined): object | undefined {
  return scaling?.enabled === true ? { maxReplicas: scaling.minReplicas ?? 2 } : undefined;
}
