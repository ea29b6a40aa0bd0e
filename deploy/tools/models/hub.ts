/** Models on the Hugging Face hub, at a pinned revision. */
import type { Source } from './fetch-model.ts';
import type { Model } from './models.ts';

export type HubOptions = {
  /** Base address; default `HF_ENDPOINT`, which names a mirror in the hub's own tools too, else huggingface.co. */
  readonly endpoint?: string;
  /** Milliseconds until the hub has to answer. */
  readonly answerMs?: number;
  /** Milliseconds between two pieces of a file. */
  readonly pieceMs?: number;
};

/** The hub, or a mirror of it. Behind a proxy, NODE_USE_ENV_PROXY=1 makes Node read HTTPS_PROXY. */
export function hub({ repository, revision }: NonNullable<Model['hub']>, options: HubOptions = {}): Source {
  const { answerMs = 8_000, pieceMs = 20_000 } = options;
  const endpoint = options.endpoint ?? process.env['HF_ENDPOINT'] ?? 'https://huggingface.co';
  const base = `${endpoint.replace(/\/+$/, '')}/${repository}/resolve/${revision}`;
  return {
    name: new URL(endpoint).host,
    load: async (files, deliver) => {
      for (const file of files) await deliver(file, download(`${base}/${file.name}`, { answerMs, pieceMs }));
    },
  };
}

/** The bytes at an address. Throws if they do not start or continue in time. */
async function* download(
  url: string,
  { answerMs, pieceMs }: { readonly answerMs: number; readonly pieceMs: number },
): AsyncGenerator<Uint8Array> {
  const abort = new AbortController();
  const within = (ms: number): NodeJS.Timeout =>
    setTimeout(() => abort.abort(new Error(`nothing came from ${url} for ${ms / 1000} s`)), ms);
  let timer = within(answerMs);
  try {
    const response = await fetch(url, { signal: abort.signal });
    if (!response.ok || response.body === null) throw new Error(`${url} answers ${response.status}`);
    for await (const piece of response.body) {
      clearTimeout(timer);
      yield piece;
      timer = within(pieceMs);
    }
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}
