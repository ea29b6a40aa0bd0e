/** Access to the API server that KUBECONFIG names, for programs other than kubectl. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from './command.ts';

type Config = {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
};

export type Credentials = {
  /** `https://<host>:<port>` */
  readonly server: string;
  /** A kubeconfig with only this context, all credentials inlined. */
  readonly kubeconfig: string;
  /** Files for an HTTPS client, named as in Prometheus's configuration. */
  readonly tls: { readonly ca_file: string; readonly cert_file: string; readonly key_file: string };
};

/**
 * Writes them into a folder that only this user can read.
 * @throws if the user of the context has no certificate
 */
export async function writeCredentials(dir: string): Promise<Credentials> {
  const text = await command('kubectl', ['config', 'view', '--raw', '--minify', '--flatten', '--output', 'json']);
  const { clusters, users } = JSON.parse(text) as Config;
  const [cluster, user] = [clusters[0]?.cluster ?? {}, users[0]?.user ?? {}];
  const write = async (name: string, content: string | Buffer): Promise<string> => {
    const file = join(dir, name);
    await writeFile(file, content, { mode: 0o600 });
    return file;
  };
  const decoded = (from: Readonly<Record<string, string>>, key: string): Promise<string> => {
    const data = from[key];
    if (data === undefined) throw new Error(`The context of KUBECONFIG has no ${key}, which the host's programs need.`);
    return write(`api-${key}.pem`, Buffer.from(data, 'base64'));
  };
  return {
    server: cluster['server'] ?? '',
    kubeconfig: await write('kubeconfig.json', text),
    tls: {
      ca_file: await decoded(cluster, 'certificate-authority-data'),
      cert_file: await decoded(user, 'client-certificate-data'),
      key_file: await decoded(user, 'client-key-data'),
    },
  };
}
