/** Resolves host names with our own DNS client: no hosts file, no search domains, no cache of the system. */
import { Resolver } from 'node:dns/promises';
import { AppError } from '@vds/chassis/errors';
import { sourceFault } from '../domain/source-fault.ts';
import { withDeadline } from './deadline.ts';

export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const NO_SUCH_NAME = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];
/** No server could be contacted (c-ares), which is no host's fault; one that is silent may wait for the host's own. */
const NO_SERVER = ['ECONNREFUSED'];

/**
 * @param servers `ip[:port]` of the DNS servers; an empty list uses the system's
 * @param timeoutMs for the whole lookup
 * @returns a function that returns every A and AAAA record (the server follows CNAMEs), IPv4 first.
 *   Throws name_unknown when there is none, dns_failed when the lookup failed, and AppError UNAVAILABLE, which is no fault of
 *   the source, while no server can be contacted.
 */
export function createHostResolver(servers: readonly string[], timeoutMs: number): ResolveHost {
  return async (host, signal) => {
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    const lookUp = () => Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    try {
      const results = await withDeadline(timeoutMs, () => sourceFault('dns_failed'), signal, lookUp);
      const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      if (addresses.length > 0) return addresses;
      const cause = results
        .map((result) => (result.status === 'rejected' ? String(result.reason) : 'empty'))
        .join(', ');
      if (results.every((result) => failedWith(result, NO_SERVER)))
        throw new AppError('UNAVAILABLE', 'no DNS server can be reached', { cause });
      const isUnknown = results.every((result) => result.status === 'fulfilled' || failedWith(result, NO_SUCH_NAME));
      throw sourceFault(isUnknown ? 'name_unknown' : 'dns_failed', { cause });
    } finally {
      resolver.cancel();
    }
  };
}

function failedWith(result: PromiseSettledResult<string[]>, codes: readonly string[]): boolean {
  return result.status === 'rejected' && codes.includes(String((result.reason as NodeJS.ErrnoException).code));
}
