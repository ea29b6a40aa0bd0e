/** `vdsctl` alone: where it is connected, and the verbs that are needed most. */
import { messageOf } from '@vds/chassis/errors';
import { stageOwners } from '@vds/proto/stages';
import { addressVariable, adminServices, readConnectionConfig, type ConnectionConfig } from '../config.ts';
import { createAdminClients, type AdminClients } from '../outbound/admin-clients.ts';
import { jsonText, table } from './output.ts';
import type { CliIo, CommonOptions } from './verb.ts';

type Reached = { readonly service: string; readonly address: string; readonly answer: string };

const verbs: readonly (readonly [command: string, what: string])[] = [
  ['video show <id>', 'where a video is, and why it is late'],
  ['video list --publisher <id>', 'the videos of a partner'],
  ['jobs list', 'what waits, and for what'],
  ['publisher list', 'the partners'],
  ['key issue <publisher id> --reason …', 'an API key for a partner'],
];

/** How long a person waits for a service that hangs. */
const PATIENCE_MS = 3_000;

/** Prints the overview; nothing that it finds is an error. */
export async function overview({ environment, out }: CliIo, { json, env }: CommonOptions): Promise<void> {
  let config: ConnectionConfig;
  try {
    config = readConnectionConfig(environment, env);
  } catch (error) {
    const reason = messageOf(error).replace(/^bad configuration:\s+/, '');
    out(json ? jsonText({ connected: false, reason }) : `${notConnected(reason)}\n\n${help()}`);
    return;
  }
  const services = await reachAll(config);
  const connected = services.some(({ answer }) => answer === 'ok');
  const source = env ?? 'the environment';
  const heading = connected ? `Connected, as ${source} says:` : `Not connected: no service of ${source} answers.`;
  const list = table(['service', 'address', 'answer'], services.map(Object.values) as string[][], '');
  out(json ? jsonText({ connected, services }) : `${heading}\n\n${list}\n\n${help()}`);
}

function notConnected(reason: string): string {
  return `Not connected: ${reason}

In a checkout, while 'npm run demo' or 'npm run dev' runs:
  npm run vdsctl -- --env .vds/demo/stack/vdsctl.env …
  npm run vdsctl -- --env .vds/dev/stack/vdsctl.env …
On Kubernetes, in the toolbox of a release:
  kubectl -n <namespace> exec -it deploy/<release>-vds-toolbox -- vdsctl …`;
}

function help(): string {
  const rows = verbs.map(([command, what]) => [`vdsctl ${command}`, what]);
  return `${table(['needed most', ''], rows, '')}\n\nAll verbs: vdsctl --help. Completion: vdsctl completion --help.`;
}

async function reachAll(config: ConnectionConfig): Promise<Reached[]> {
  const clients = createAdminClients(config);
  const reach = async (service: string): Promise<Reached> => {
    const address = config.addresses[service];
    if (address === undefined) return { service, address: '–', answer: `${addressVariable(service)} is not set` };
    const answer = await smallestCall(clients, service).then(() => 'ok', firstSentence);
    return { service, address, answer };
  };
  try {
    return await Promise.all(adminServices.map(reach));
  } finally {
    await clients.close();
  }
}

function firstSentence(error: unknown): string {
  return messageOf(error).split('. ')[0] ?? '';
}

/** A call that needs the token and reads next to nothing. */
function smallestCall(clients: AdminClients, service: string): Promise<unknown> {
  const call = { timeoutMs: PATIENCE_MS };
  if (service === 'auth') return clients.keys().ListPublishers({}, call);
  if (service === 'catalog') return clients.videos().GetDailyUse({ budgetIds: [] }, call);
  if (service === 'indexer') return clients.index().GetIndexStatus({}, call);
  if (stageOwners.includes(service)) return clients.worker(service).ListKnownVideos({ after: '', limit: 1 }, call);
  return clients.deadLetters(service).ListDeadLetters({ pageSize: 1, cursor: '' }, call);
}
