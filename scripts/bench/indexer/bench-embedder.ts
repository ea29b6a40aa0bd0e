/** The embedded engine for vectors of texts. A text is embedded once: a query on a busy machine is never too late. */
import type { Embedder } from '@vds/chassis/embeddings/embedder';
import { openE5Embedder } from '@vds/chassis/embeddings/e5-embedder';
import { createLogger } from '@vds/chassis/telemetry/log';
import { testSandbox } from '@vds/testkit/harness/sandbox';
import { embeddingsFolder } from '@vds/testkit/programs/embeddings';

/** @throws Error where the engine is not installed */
export async function openBenchEmbedder(): Promise<Embedder> {
  const folder = embeddingsFolder();
  if (folder === null) throw new Error('the embeddings engine is not installed');
  const log = createLogger('bench', 'error');
  const sandbox = await testSandbox();
  return remembering(await openE5Embedder({ folder, niceness: 0, sandbox, memoryBytes: Infinity, log }));
}

function remembering(embedder: Embedder): Embedder {
  const vectors = new Map<string, Promise<Int8Array>>();
  const vectorOf = async (text: string, kind: 'query' | 'passage'): Promise<Int8Array> => {
    const [vector] = await embedder.embed([text], kind);
    if (!vector) throw new Error('no vector');
    return vector;
  };
  return {
    ...embedder,
    embed: (texts, kind) =>
      Promise.all(
        texts.map((text) => {
          const key = `${kind}: ${text}`;
          const vector = vectors.get(key) ?? vectorOf(text, kind);
          vectors.set(key, vector);
          return vector;
        }),
      ),
  };
}
