/**
 * How each program is had: what is on PATH (or was built into the tools folder before), else what a registry client
 * installs: apt for PostgreSQL, ffmpeg, bubblewrap, Chromium, apertium, tesseract, Java and Maven; Go for nats-server,
 * versitygw and KEDA; PyPI for pocketsphinx; Maven Central for OpenSearch.
 * There is no step that downloads a project's official release file: such a file is only taken with a pinned
 * checksum, and none has been verified yet. Where no registry client helps, one sentence names what is lacking.
 */
import { aptInstall } from './apt.ts';
import { find } from './command.ts';
import { goProgram, installGoProgram } from './go-programs.ts';
import { installKeda, keda } from './keda.ts';
import { APERTIUM_PACKAGES, installSpeech, speechPython, tesseract, translationIsInstalled } from './language-tools.ts';
import { installOpenSearch, openSearchIsInstalled } from './opensearch.ts';
import { postgresBin } from './postgres.ts';
import { makesEnvironments } from './python.ts';

export type Part =
  | 'postgres'
  | 'nats'
  | 's3'
  | 'opensearch'
  | 'ffmpeg'
  | 'sandbox'
  | 'speech'
  | 'translation'
  | 'ocr'
  | 'browser'
  | 'keda';

/** What the stack needs to run. */
export const STACK_PARTS: Part[] = [
  'postgres',
  'nats',
  's3',
  'opensearch',
  'ffmpeg',
  'sandbox',
  'speech',
  'translation',
  'ocr',
];

/** What `install` brings when nothing is named: the stack, and the browser of its tests. */
export const USUAL_PARTS: Part[] = [...STACK_PARTS, 'browser'];

type AptPart = { part: Part; have: () => boolean; packages: string[] };

const APT_PARTS: AptPart[] = [
  { part: 'postgres', have: () => postgresBin() !== null, packages: ['postgresql'] },
  { part: 'ffmpeg', have: () => find('ffmpeg') !== null && find('ffprobe') !== null, packages: ['ffmpeg'] },
  { part: 'sandbox', have: () => find('bwrap') !== null || process.platform !== 'linux', packages: ['bubblewrap'] },
  { part: 'speech', have: () => speechPython() !== null || makesEnvironments(), packages: ['python3-venv'] },
  { part: 'translation', have: translationIsInstalled, packages: APERTIUM_PACKAGES },
  { part: 'ocr', have: () => tesseract() !== null, packages: ['tesseract-ocr'] },
  { part: 'browser', have: () => chromium() !== null, packages: ['chromium'] },
  {
    part: 'opensearch',
    have: () => openSearchIsInstalled() || (find('javac') !== null && find('mvn') !== null),
    packages: ['openjdk-17-jdk-headless', 'maven'],
  },
];

/** Path of Chromium under one of its names; null where there is none. */
export function chromium(): string | null {
  return find('chromium') ?? find('chromium-browser') ?? find('google-chrome') ?? find('google-chrome-stable');
}

/** Makes sure that the programs of these parts are there; does nothing, in milliseconds, where they are. */
export async function install(parts: Part[] = USUAL_PARTS): Promise<void> {
  const missing = APT_PARTS.filter(({ part, have }) => parts.includes(part) && !have());
  if (missing.length > 0) await aptInstall(missing.flatMap(({ packages }) => packages));
  // Go builds nats-server and versitygw, and needs every core for either: one after the other. Jars and wheels come by the way.
  const built = async (): Promise<void> => {
    if (parts.includes('nats') && goProgram('nats-server') === null) await installGoProgram('nats-server');
    if (parts.includes('s3') && goProgram('versitygw') === null) await installGoProgram('versitygw');
    if (parts.includes('keda') && keda() === null) await installKeda();
  };
  const fetched = async (): Promise<void> => {
    if (parts.includes('opensearch') && !openSearchIsInstalled()) await installOpenSearch();
    if (parts.includes('speech') && speechPython() === null) await installSpeech();
  };
  const ended = await Promise.allSettled([built(), fetched()]);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
