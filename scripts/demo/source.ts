/** The demo's videos: an internet address, a file or the demo's own clips, which it serves over HTTPS itself. */
import { mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { mediaDir } from '@vds/testkit/media/render';
import { startOrigin } from '@vds/testkit/origin/origin';
import type { Submission } from '@vds/testkit/stack/partner';
import type { DemoArguments, Description } from './arguments.ts';
import type { Word } from './check-discovery.ts';
import { awaitedLater, type Clip } from './clips.ts';
import { titleFromName } from './title-from-name.ts';

export type DemoVideo = {
  /** Short, for progress lines. */
  readonly label: string;
  readonly submission: Submission;
  readonly words: readonly Word[];
  /** How many caption tracks become ready at least; undefined for a video that is not the demo's own. */
  readonly readyTracks?: number;
};

export type DemoSource = {
  readonly videos: readonly Promise<DemoVideo>[];
  /** The settings with which the gateway and ingest accept and fetch them. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

/** Starts the server of the file or the clips. */
export async function openSource(
  { source, description }: Pick<DemoArguments, 'source' | 'description'>,
  clips: readonly Promise<Clip>[],
): Promise<DemoSource> {
  if (source.kind === 'address') {
    const video = ownVideo(source.url, nameOf(source.url), description);
    return { videos: [Promise.resolve(video)], environment: {}, close: async () => {} };
  }
  const root = source.kind === 'file' ? dirname(source.path) : mediaDir;
  if (source.kind === 'clips') mkdirSync(root, { recursive: true });
  const { url, environment, close } = await startOrigin({ root, hosts: ['clips.demo.test'] });
  const addressOf = (path: string): string => url(`/${encodeURIComponent(basename(path))}`);
  const videos =
    source.kind === 'file'
      ? [Promise.resolve(ownVideo(addressOf(source.path), basename(source.path), description))]
      : clips.map(async (clip) => clipVideo(await clip, addressOf));
  return { videos: videos.map(awaitedLater), environment, close };
}

/** A video of the person who runs the demo. */
export function ownVideo(url: string, name: string, { title, sport, language }: Description): DemoVideo {
  const submission = {
    source_url: url,
    title: title ?? titleFromName(name),
    ...(sport !== undefined && { sport }),
    ...(language !== undefined && { language_code: language }),
  };
  return { label: 'your video', submission, words: [] };
}

function clipVideo(
  { label, path, words, readyTracks, ...texts }: Clip,
  addressOf: (path: string) => string,
): DemoVideo {
  return { label, words, readyTracks, submission: { ...texts, source_url: addressOf(path) } };
}

/** The last part of an address's path. */
function nameOf(url: string): string {
  const name = basename(new URL(url).pathname);
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // no valid percent-encoding
  }
}
