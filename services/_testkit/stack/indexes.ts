/**
 * The stack's search indexes: the indexer creates them, under the stack's prefix; these functions wait for and remove
 * them.
 */
import type { Servers } from '../servers/servers-file.ts';
import { until } from '../until.ts';
import { indexPrefix } from '@vds/deploy-tools/installation';

/** Waits until the cluster's shards respond; after a restart its port is open a second earlier. */
export async function searchAnswers({ opensearch }: Servers): Promise<void> {
  if (opensearch === null) throw new Error('OpenSearch does not run: run `npm run servers -- up`.');
  const health = `${opensearch.url}/_cluster/health?wait_for_status=yellow&timeout=1s`;
  const answers = async (): Promise<boolean> => {
    try {
      const response = await ask(health);
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false; // not yet
    }
  };
  await until(answers, { what: `OpenSearch at ${opensearch.url} answers`, capMs: 180_000, everyMs: 50 });
}

async function ask(url: string, method = 'GET'): Promise<Response> {
  return await fetch(url, { method, signal: AbortSignal.timeout(10_000) });
}

/** Removes the stack's indexes one by one, by name: clusters rightly reject wildcards in deletions. */
export async function removeIndexes({ opensearch }: Pick<Servers, 'opensearch'>, stack: string): Promise<void> {
  if (opensearch === null) return;
  for (const index of await indexesOf(opensearch.url, stack)) {
    const response = await ask(`${opensearch.url}/${index}`, 'DELETE');
    if (response.status !== 200 && response.status !== 404)
      throw new Error(`removing the index ${index}: ${await response.text()}`);
    await response.arrayBuffer();
  }
}

/** Names of the stack's indexes; those of `a-b` count as of `a` too. */
export async function indexesOf(url: string, stack: string): Promise<string[]> {
  const response = await ask(`${url}/_cat/indices/${indexPrefix(stack)}*?format=json&h=index&expand_wildcards=all`);
  if (response.status !== 200) throw new Error(`OpenSearch answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { index: string }[]).map(({ index }) => index);
}
