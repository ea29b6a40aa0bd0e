/** Values of the release under test: those for QA, shortened times, and the source of its videos. */
import { shortTimeouts } from '../short-timeouts.ts';
import type { Source } from '../source.ts';
import { images } from './images.ts';
import { release } from './release.ts';

/** The ConfigMap with the certificate authority of the tests' origin. */
export const ORIGIN_CA = 'vds-e2e-origin-ca';

type Component = {
  readonly env?: Readonly<Record<string, string>>;
  readonly replicas?: number;
  readonly service?: { readonly nodePort: number };
  readonly clients?: readonly object[];
};

/** Any peer that reaches a node may reach these ports: the tests connect through a port of the node. */
const anyone = [{ ipBlock: { cidr: '0.0.0.0/0' } }];

/**
 * Two replicas of every service on the request path, as in production, so that one may be lost. A release for one suite
 * needs one.
 */
const replicas = Number(process.env['VDS_REPLICAS'] ?? 2);

/** @param source started at an address that pods reach */
export function valuesOf(source: Source): object {
  const components: Record<string, Component> = {
    gateway: publicService(release.gatewayUrl),
    playback: publicService(release.playbackUrl),
    auth: { replicas },
    ...Object.fromEntries(Object.entries(shortTimeouts).map(([service, env]) => [service, { env }])),
    catalog: { replicas, env: shortTimeouts.catalog },
  };
  return {
    image: { repository: images.repository, tag: images.tag },
    publicUrl: { playback: release.playbackUrl },
    ingest: {
      privateSources: source.privateSources,
      dnsServers: [source.origin.dnsServer],
      caConfigMap: ORIGIN_CA,
    },
    components,
  };
}

/** Reached through the node port in the address, if there is one. */
function publicService(url: string): Component {
  const nodePort = Number(new URL(url).port);
  return { replicas, clients: anyone, ...(nodePort >= 30_000 && { service: { nodePort } }) };
}
