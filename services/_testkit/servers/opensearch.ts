/** OpenSearch: the server's jars from Maven Central, and a small launcher that Java runs from source. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { find, run, toolsDir } from './command.ts';
import { answers, startDetached, stopDetached, untilReady } from './detached.ts';
import { step } from './progress.ts';
import { ensurePort, type Settings } from './settings.ts';

/** The newest 2.x whose every module is in Maven Central; runs on Java 17. */
const VERSION = '2.19.6';
/** What the folder of the jars has besides: an installation without it is another folder. */
const PLUGINS = 'knn';
const here = fileURLToPath(new URL('./opensearch/', import.meta.url));
/** The launcher's source. */
export const openSearchLauncher = join(here, 'SingleNode.java');

/** Downloads the jars into the tools folder; an interrupted download leaves nothing there. */
export async function installOpenSearch(): Promise<void> {
  const part = `${openSearchJars()}.part-${process.pid}`;
  const markers = `${part}-markers`;
  mkdirSync(toolsDir(), { recursive: true });
  try {
    await step(`OpenSearch ${VERSION} from Maven Central`, async () => {
      const options = ['-B', '-q', '-f', join(here, 'pom.xml'), `-Dopensearch.version=${VERSION}`];
      const output = [`-DoutputDirectory=${part}`, `-DmarkersDirectory=${markers}`];
      await run('mvn', [...options, 'dependency:copy-dependencies', '-DexcludeTypes=zip', ...output]);
      const jars = ['-DincludeTypes=zip', '-Dmdep.unpack.includes=*.jar'];
      await run('mvn', [...options, 'dependency:unpack-dependencies', ...jars, ...output]);
    });
    if (!existsSync(openSearchJars())) renameSync(part, openSearchJars());
  } finally {
    rmSync(part, { recursive: true, force: true });
    rmSync(markers, { recursive: true, force: true });
  }
}

/** Folder of the server's jars. */
export function openSearchJars(): string {
  return join(toolsDir(), `opensearch-${VERSION}-${PLUGINS}`);
}

export type NodeOptions = {
  /** Starts it without the k-NN plug-in, as servers that do not have it. */
  readonly withoutVectors?: boolean;
  /** With Java's own compiler and collector and a heap of 4 GB, as operators run it, not the small one of tests. */
  readonly asOperated?: boolean;
};

const SMALL = ['-Xms512m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const AS_OPERATED = ['-Xms4g', '-Xmx4g'];

/** Starts one node and waits until its shards respond, not only its port. */
export async function startOpenSearch(dir: string, settings: Settings, options: NodeOptions = {}): Promise<void> {
  const health = await launchOpenSearch(dir, settings, options);
  await untilReady(dir, 'opensearch', async () => await answers(health));
}

/** Starts one node without waiting for it; returns the address that answers with 200 once it is ready. */
export async function launchOpenSearch(dir: string, settings: Settings, options: NodeOptions = {}): Promise<string> {
  const java = find('java');
  if (java === null || !openSearchIsInstalled()) {
    throw new Error('OpenSearch is not installed: run `npm run servers -- install`.');
  }
  const home = join(dir, 'opensearch');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const port = await ensurePort(dir, settings, 'opensearch');
  const flags = [...(options.asOperated === true ? AS_OPERATED : SMALL), '-cp', `${openSearchJars()}/*`];
  const plugins = options.withoutVectors === true ? ['-Dknn=false'] : [];
  const args = [...flags, ...plugins, openSearchLauncher, home, String(port)];
  startDetached({ dir, name: 'opensearch', command: java, args, env: { PATH: process.env['PATH'] } });
  return `http://127.0.0.1:${port}/_cluster/health?wait_for_status=yellow&timeout=1s`;
}

/** Whether the jars are installed. */
export function openSearchIsInstalled(): boolean {
  return existsSync(openSearchJars()) && find('java') !== null;
}

/** Stops the node. */
export async function stopOpenSearch(dir: string): Promise<boolean> {
  return await stopDetached(dir, 'opensearch');
}
