/** The source of the tests' videos: a folder over HTTPS, on names that only its own DNS server resolves. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startOrigin, type Origin, type OriginOptions } from '@vds/testkit/origin/origin';

/** Names that resolve to a non-public address; only the last is permitted, and nothing listens there. */
export const names = {
  loopback: 'loopback.test',
  metadata: 'metadata.test',
  refused: 'refused.test',
} as const;

export type Source = {
  readonly origin: Origin;
  /** Folder that the origin serves. */
  readonly media: string;
  /** Copies a file into the folder and returns its address. */
  readonly serve: (path: string) => Promise<string>;
  /** `host:port=ip:port`: the exemptions for the services. */
  readonly privateSources: readonly string[];
  readonly close: () => Promise<void>;
};

/** @param where the address and ports of the origin; loopback and free ones by default */
export async function openSource(where: Pick<OriginOptions, 'address' | 'ports' | 'keep'> = {}): Promise<Source> {
  const media = await mkdtemp(join(tmpdir(), 'vds-e2e-media-'));
  const origin = await startOrigin({
    root: media,
    names: { [names.loopback]: ['127.0.0.1'], [names.metadata]: ['169.254.169.254'], [names.refused]: ['127.0.0.1'] },
    ...where,
  });
  return {
    origin,
    media,
    serve: async (path) => {
      await copyFile(path, join(media, basename(path)));
      return origin.url(`/${basename(path)}`);
    },
    privateSources: [origin.privateSources, `${names.refused}:1=127.0.0.1:1`],
    close: async () => {
      await origin.close();
      await rm(media, { recursive: true, force: true });
    },
  };
}
