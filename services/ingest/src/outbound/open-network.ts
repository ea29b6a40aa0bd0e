/** The client for partners' hosts, as configured. */
import { readFileSync } from 'node:fs';
import { MIN_BYTES_PER_SECOND, type IngestConfig } from '../config.ts';
import { createDialer, pinOf } from './dial-source.ts';
import { createSourceOpener, type OpenSource } from './open-source.ts';
import { createHostResolver } from './resolve-host.ts';

export function openNetwork(config: IngestConfig): OpenSource {
  const pinned = config.pinnedHosts;
  const { nat64Prefixes, connectMs, tlsMs, headersMs, idleMs } = config;
  const dial = createDialer({
    resolve: createHostResolver(config.dnsServers, config.dnsMs),
    blocked: config.blockedNetworks,
    nat64Prefixes,
    pinned,
    extraCa: config.extraCaFile === undefined ? undefined : readFileSync(config.extraCaFile, 'utf8'),
    connectMs,
    tlsMs,
  });
  const rate = { bytesPerSecond: MIN_BYTES_PER_SECOND, windowMs: config.rateWindowMs };
  return createSourceOpener({ dial, rate, headersMs, idleMs, isPinned: (url) => pinOf(pinned, url) !== undefined });
}
