/** A server in place of catalog that returns the partner's description of a video. */
import { createHash } from 'node:crypto';
import { catalog } from '@vds/proto';
import type { Description } from '@vds/proto/generated/vds/catalog/v1/Description.ts';
import { notFound } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { serveRpc } from '@vds/chassis/rpc/rpc';

const token = 'token-of-metadata';

export async function startFakeCatalog() {
  const descriptions = new Map<string, Description>();
  const { DescribeVideo } = catalog.CatalogService.service;
  const describe = async ({ videoId }: { readonly videoId: string }): Promise<Description> => {
    const description = descriptions.get(videoId);
    if (!description) throw notFound(videoId);
    return { videoId, publisherId: 'publisher-1', languageCode: 'en', ...description };
  };
  const server = await serveRpc({
    port: 0,
    services: [
      {
        definition: { DescribeVideo },
        methods: { DescribeVideo: describe },
        callers: { DescribeVideo: ['metadata'] },
      },
    ],
    log: createLogger('test', 'error'),
    metrics: createMetrics('test'),
    config: {
      rpcCallers: [`metadata=${createHash('sha256').update(token).digest('hex')}`],
      tlsCertFile: undefined,
      tlsKeyFile: undefined,
      tlsCaFile: undefined,
    },
  });
  return { port: server.port, token, descriptions, close: server.close };
}
