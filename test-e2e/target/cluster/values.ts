/** Values of the release under test: those for QA, the shortened times, and where its videos come from. */
import { haste } from '../haste.ts';
import type { Source } from '../source.ts';
import { images } from './images.ts';
import { release } from './release.ts';

/** The ConfigMap with the certificate authority of the tests' origin. */
export const ORIGIN_CA = 'vds-e2e-origin-ca';

type Component = {
  readonly env?: Readonly<Record<string, string>>;
  readonly replicas?: number;
  readonly clients?: readonly object[];
};

/** Whoever reaches a node may reach these doors: the tests come through a port of the node. */
const anyone = [{ ipBlock: { cidr: '0.0.0.0/0' } }];

/** @param source started at an address that pods reach */
export const valuesOf = (source: Source): object => {
  const components: Record<string, Component> = {
    gateway: { replicas: 2, clients: anyone },
    playback: { replicas: 2, clients: anyone },
    // Whom every request asks is there twice, as in production: one of them may be lost.
    auth: { replicas: 2 },
    ingest: { env: haste.ingest },
    catalog: { replicas: 2, env: haste.catalog },
    transcode: { env: haste.transcode },
    captions: { env: haste.captions },
    metadata: { env: haste.metadata },
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
};
