/**
 * Where each program comes from: PATH or the tools folder, else a registry client installs it: apt for PostgreSQL,
 * ffmpeg, bubblewrap, Chromium, apertium, tesseract, Java and Maven; Go for nats-server, versitygw and KEDA; PyPI for
 * pocketsphinx; Maven Central for OpenSearch.
 * Nothing downloads a project's official release file: that requires a pinned checksum, and none has been verified yet.
 * If no registry client can install a program, one sentence names what is missing.
 */
import { aptInstall } from './apt.ts';
import { findChromium } from './chromium.ts';
import { find } from '../servers/command.ts';
import { goProgram, installGoProgram } from './go-programs.ts';
import { installKeda, keda } from './keda.ts';
import { APERTIUM_PACKAGES, installSpeech, speechPython, tesseract, translationIsInstalled } from './language-tools.ts';
import { installOpenSearch, openSearchIsInstalled } from '../servers/opensearch.ts';
import { postgresBin } from '../servers/postgres.ts';
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

/** Programs that the stack requires. */
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

/** The default of `install`: the stack, and the browser for its tests. */
export const USUAL_PARTS: Part[] = [...STACK_PARTS, 'browser'];

type AptPart = { part: Part; have: () => boolean; packages: string[] };

const APT_PARTS: AptPart[] = [
  { part: 'postgres', have: () => postgresBin() !== null, packages: ['postgresql'] },
  { part: 'ffmpeg', have: () => find('ffmpeg') !== null && find('ffprobe') !== null, packages: ['ffmpeg'] },
  { part: 'sandbox', have: () => find('bwrap') !== null || process.platform !== 'linux', packages: ['bubblewrap'] },
  { part: 'speech', have: () => speechPython() !== null || makesEnvironments(), packages: ['python3-venv'] },
  { part: 'translation', have: translationIsInstalled, packages: APERTIUM_PACKAGES },
  { part: 'ocr', have: () => tesseract() !== null, packages: ['tesseract-ocr'] },
  { part: 'browser', have: () => findChromium() !== null, packages: ['chromium'] },
  {
    part: 'opensearch',
    have: () => openSearchIsInstalled() || (find('javac') !== null && find('mvn') !== null),
    packages: ['openjdk-17-jdk-headless', 'maven'],
  },
];

/** Installs the missing programs of these parts; takes milliseconds if nothing is missing. */
export async function install(parts: Part[] = USUAL_PARTS): Promise<void> {
  const missing = APT_PARTS.filter(({ part, have }) => parts.includes(part) && !have());
  if (missing.length > 0) await aptInstall(missing.flatMap(({ packages }) => packages));
  // Go builds nats-server and versitygw and uses every core for either, so one after the other. Jars and wheels load
  // meanwhile.
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
