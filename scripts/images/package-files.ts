/** The files of a package that an image needs: what Node may load, and licences. */
import { basename } from 'node:path/posix';

/** Types, TypeScript sources, source maps and documentation. Licences stay. */
const papers = /\.(ts|mts|cts|tsx|map|flow|md|markdown|html|yml|tsbuildinfo)$/i;
const licences = /^(licen[cs]e|notice|copying|third-party)/i;

/** Folders at a package's top level that no program loads from. */
const besideTheCode = /^(tests?|__tests__|docs?|examples?|benchmarks?|coverage|\.github|\.bin)\//;

/** Programs and builds that never run here; the rest of the package is kept. */
const unused: Readonly<Record<string, RegExp>> = {
  // Of all databases and runtimes, only PostgreSQL and the client without an engine are used.
  '@prisma/client':
    /^(generator-build|scripts)\/|^runtime\/(?!client\.|index-browser\.|query_compiler_bg\.postgresql\.)|^runtime\/query_compiler.*wasm-base64\.js$/,
  // Sources next to their compiled output.
  effect: /^(src|dist\/dts)\//,
  rxjs: /^(src|dist\/(bundles|esm|esm5|types))\//,
};

/** The same for package families: builds that only bundlers use. */
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
