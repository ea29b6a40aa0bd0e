/**
 * The country of a viewer: from a header that a trusted hop sets, else from the operator's database of addresses. The
 * address itself goes nowhere.
 */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { clientOf } from '@vds/chassis/net/client-address';
import { isAddress, type Network } from '@vds/chassis/net/public-address';
import { Reader, type CountryResponse } from 'maxmind';

export type CountryOptions = {
  /** Name of the header; undefined: none. */
  readonly header: string | undefined;
  /** Addresses of hops whose headers count. */
  readonly trusted: readonly Network[];
  /** Path of a MaxMind database (mmdb); undefined: none. */
  readonly databaseFile: string | undefined;
};
export type CountryOf = (request: IncomingMessage) => string;

/** @throws Error where the database cannot be read */
export async function openCountries({ header, trusted, databaseFile }: CountryOptions): Promise<CountryOf> {
  const reader = databaseFile === undefined ? undefined : new Reader<CountryResponse>(await readFile(databaseFile));
  return (request) => {
    const { address, viaTrustedHop } = clientOf(request, trusted);
    const named = viaTrustedHop && header !== undefined ? code(request.headers[header]) : '';
    if (named !== '' || !reader) return named;
    return !isAddress(address) ? '' : code(reader.get(address)?.country?.iso_code);
  };
}

/** ISO 3166-1; '' for anything else, such as Cloudflare's XX and T1. */
function code(value: unknown): string {
  return typeof value === 'string' && /^[A-Z]{2}$/.test(value) && value !== 'XX' ? value : '';
}
