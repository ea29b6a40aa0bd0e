/** The house under test as processes of this host: shortened times, an origin, and partners as many as a story needs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { startHouse, type House, type HouseOptions } from '@vds/testkit/stack/start-stack';
import { readServers } from '@vds/testkit/servers/servers-file';
import { openDesk, type Desk } from './desk.ts';
import { haste } from './haste.ts';
import { hostSite, type Site } from './site.ts';
import { openSource, type Source } from './source.ts';

/** The services under test with an origin and partners. */
export type Target = Desk &
  Pick<Source, 'origin' | 'media'> & {
    readonly site: Site;
    /** A folder for what a test downloads. */
    readonly scratch: (name: string) => string;
  };

/** A target of processes of this host, which a test may kill. */
export type HostTarget = Target & { readonly house: House };

export type HostOptions = {
  /** Lowercase letters: what a house that runs beside the common one is called after it. */
  readonly suffix?: string;
  readonly replicas?: NonNullable<HouseOptions['replicas']>;
  /** Variables by service, over the shortened times. */
  readonly env?: NonNullable<HouseOptions['env']>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Two runs at once on the same servers need two names (`VDS_E2E_HOUSE`): the second would end the first one's house. */
const houseName = process.env['VDS_E2E_HOUSE'] ?? 'e2e';

/** Starts everything; `close` stops it and removes what it has on the servers. */
export async function openHost(options: HostOptions = {}): Promise<HostTarget> {
  await using opened = new AsyncDisposableStack();
  const source = await openSource();
  opened.defer(source.close);
  const downloads = await mkdtemp(join(tmpdir(), 'vds-e2e-'));
  opened.defer(() => rm(downloads, { recursive: true, force: true }));
  const house = await startServices(source, options);
  opened.defer(house.remove);
  const site = hostSite(house);
  const desk = openDesk(site);
  opened.defer(desk.close);
  const open = opened.move();
  return {
    ...source,
    ...desk,
    site,
    house,
    scratch: (name) => join(downloads, name),
    close: () => open.disposeAsync(),
  };
}

async function startServices(source: Source, { suffix = '', replicas = {}, env = {} }: HostOptions): Promise<House> {
  const PRIVATE_SOURCES = source.privateSources.join(',');
  const name = `${houseName}${suffix}`;
  return startHouse({
    dir: join(root, '.vds', name),
    name,
    servers: readServers(),
    replicas,
    env: {
      ...env,
      gateway: { PRIVATE_SOURCES, ...env.gateway },
      ingest: { ...source.origin.environment, PRIVATE_SOURCES, ...haste.ingest, ...env.ingest },
      catalog: { ...haste.catalog, ...env.catalog },
      transcode: { ...haste.transcode, ...env.transcode },
      captions: { ...haste.captions, ...env.captions },
      metadata: { ...haste.metadata, ...env.metadata },
    },
  });
}
