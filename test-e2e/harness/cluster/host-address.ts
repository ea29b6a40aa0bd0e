/** The address at which the cluster's pods reach this host, which serves the tests' videos. */
import { networkInterfaces } from 'node:os';
import { getJson } from './release.ts';

type Node = { readonly status: { readonly addresses: readonly { readonly type: string; readonly address: string }[] } };

/**
 * `VDS_HOST_ADDRESS`, else the node's own address if the node is this host, else this host's address in the node's
 * network (a kind node is a container on it).
 * @throws if none of them is known
 */
export async function hostAddress(): Promise<string> {
  const given = process.env['VDS_HOST_ADDRESS'];
  if (given !== undefined) return given;
  const { items } = await getJson<{ items: Node[] }>(['nodes']);
  const nodes = items.flatMap(({ status }) =>
    status.addresses.filter(({ type }) => type === 'InternalIP').map(({ address }) => address),
  );
  const own = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => address),
  );
  const found = own.find((one) => nodes.includes(one)) ?? own.find((one) => nodes.some((n) => inSameNetwork(one, n)));
  if (found === undefined)
    throw new Error(`Pods cannot find this host: set VDS_HOST_ADDRESS to its address (nodes: ${nodes.join(', ')}).`);
  return found;
}

function inSameNetwork(address: string, other: string): boolean {
  return address.split('.').slice(0, 3).join('.') === other.split('.').slice(0, 3).join('.');
}
