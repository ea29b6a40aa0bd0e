/** Which files of a package an image needs: what Node may load, and licences. */
import { basename } from 'node:path/posix';

/** Types, sources of TypeScript, maps of what was compiled, and papers. Licences stay. */
const papers = /\.(ts|mts|cts|tsx|map|flow|md|markdown|html|yml|tsbuildinfo)$/i;
const licences = /^(licen[cs]e|notice|copying|third-party)/i;

/** Folders of a package's top level that no program loads from. */
const besideTheCode = /^(tests?|__tests__|docs?|examples?|benchmarks?|coverage|\.github|\.bin)\//;

/** Programs and builds that are never run here; the rest of the package is. */
const unused: Readonly<Record<string, RegExp>> = {
  // Of all databases and all ways to run, ours are PostgreSQL and the client without an engine.
  '@prisma/client':
    /^(generator-build|scripts)\/|^runtime\/(?!client\.|index-browser\.|query_compiler_bg\.postgresql\.)|^runtime\/query_compiler.*wasm-base64\.js$/,
  // Studio, clients to generate, and engines for queries: migrations are the schema engine's.
  prisma: /^(prisma-client|preinstall|scripts|dist)\/|^build\/(public\/|xdg-open|query_(engine|compiler)_)/,
  // The gateway serves one script and one style sheet of it.
  'swagger-ui-dist': /^(?!package\.json$|swagger-ui-bundle\.js$|swagger-ui\.css$)/,
  // Sources beside what is compiled from them.
  effect: /^(src|dist\/dts)\//,
  rxjs: /^(src|dist\/(bundles|esm|esm5|types))\//,
};

/** The same for whole families: builds that only bundlers take. */
const bundlersOnly: readonly (readonly [name: RegExp, files: RegExp])[] = [
  [/^@opentelemetry\//, /^build\/(esm|esnext)\//],
];

/** @param path of the file inside the package */
export function isNeeded(packageName: string, path: string): boolean {
  if (licences.test(basename(path))) return true;
  if (papers.test(path) || besideTheCode.test(path) || path.startsWith('node_modules/.')) return false;
  if (unused[packageName]?.test(path) === true) return false;
  return !bundlersOnly.some(([name, files]) => name.test(packageName) && files.test(path));
}
