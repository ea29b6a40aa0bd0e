/**
 * The access token of this process on Google Cloud, from the metadata server (workload identity of GKE):
 * https://cloud.google.com/kubernetes-engine/docs/concepts/workload-identity
 */
import { requestCredentials, jsonOf, noCredentials } from './credentials-request.ts';
import { withRenewal, type RenewalOptions } from './renewal.ts';
import type { CloudSettings } from './settings.ts';

const WHO = 'the metadata server of Google Cloud';

/** One for the process, so that all its clients renew together. */
const opened = new Map<string, () => Promise<string>>();

/** The token of the process; each call returns the current one, or throws AppError UNAVAILABLE where there is none. */
export function googleToken({
  googleMetadataHost: host = 'metadata.google.internal',
}: CloudSettings): () => Promise<string> {
  const known = opened.get(host) ?? openGoogleToken(host);
  opened.set(host, known);
  return known;
}

/** The same, of its own. */
export function openGoogleToken(host: string, options?: RenewalOptions): () => Promise<string> {
  const base = /^https?:/.test(host) ? host : `http://${host}`;
  const url = new URL('/computeMetadata/v1/instance/service-accounts/default/token', base).href;
  const load = async () => {
    const document = jsonOf(WHO, await requestCredentials({ who: WHO, url, headers: { 'metadata-flavor': 'Google' } }));
    const { access_token: value, expires_in: seconds } = document;
    if (typeof value !== 'string' || value === '' || typeof seconds !== 'number' || !(seconds > 0))
      throw noCredentials(`${WHO} returned no access token with a life`);
    return { value, lifeMs: seconds * 1_000 };
  };
  return withRenewal('the access token of Google Cloud', load, options);
}
