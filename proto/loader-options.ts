import { fileURLToPath } from 'node:url';

/** One set of options for every .proto; the generated types use the same ones. */
export const loaderOptions = {
  longs: Number,
  enums: String,
  defaults: true,
  oneofs: true,
  includeDirs: [fileURLToPath(new URL('.', import.meta.url))],
};
