/** The job `plan`: queries what the engines support, and cuts the sound into chunks for the tracks that can be made. */
import type { MediaPlaylist } from '@vds/proto/documents/media-playlist';
import { needsEnglish, planFor, type Capabilities, type CaptionJob } from '../caption-job.ts';
import { withNamesOf } from '../names/list-names.ts';
import { providedLanguages } from '../provided.ts';
import { cutIntoChunks, type SpeechChunk } from '../transcription/chunks.ts';
import type { Track } from '../track.ts';

export type PlanPorts = {
  /** Languages that can be transcribed. @throws AppError UNAVAILABLE while the engine cannot be reached */
  readonly languages: () => Promise<readonly string[]>;
  readonly capabilities: (query: { readonly force: boolean }) => Promise<Capabilities>;
  /** The playlist of the video's sound. */
  readonly playlist: () => Promise<MediaPlaylist>;
  /** Lines of the partner's own captions in a language; none where they cannot be read. */
  readonly lines: (language: string) => Promise<readonly string[]>;
};

export type Plan = {
  readonly planned: readonly Track[];
  readonly capabilities: Capabilities;
  /** Those of the request, and of the captions inside the file. */
  readonly names: readonly string[];
  /** Undefined where nothing is transcribed. */
  readonly sound:
    | { readonly playlist: MediaPlaylist; readonly chunks: readonly SpeechChunk[] }
    | { readonly playlist: undefined; readonly chunks: readonly [] }
    | undefined;
};

/** @param targets the operator's list, BCP 47 */
export async function planCaptions(
  ports: PlanPorts,
  captions: CaptionJob,
  { generation, targets, chunkMs }: Record<'generation' | 'chunkMs', number> & { readonly targets: readonly string[] },
): Promise<Plan> {
  const speechLanguages = captions.hasAudio ? await ports.languages() : [];
  // Tracks are made again because the engines may support more than before: a cached response may be outdated.
  const capabilities = await ports.capabilities({ force: generation > 0 });
  const planned = planFor(captions, targets, { ...capabilities, speechLanguages });
  const [spoken] = planned;
  if (spoken?.status !== 'processing') return { planned, capabilities, names: captions.names, sound: undefined };
  const names = await withProvided(ports, captions);
  // Of speech that the partner has written down, only what leads through English made of the sound needs that.
  if (spoken.provided && !(captions.hasAudio && dependsOnSpeech(captions, planned, capabilities)))
    return { planned, capabilities, names, sound: { playlist: undefined, chunks: [] } };
  const playlist = await ports.playlist();
  return { planned, capabilities, names, sound: { playlist, chunks: cutIntoChunks(playlist.segments, chunkMs) } };
}

async function withProvided({ lines }: PlanPorts, captions: CaptionJob): Promise<readonly string[]> {
  let { names } = captions;
  for (const language of providedLanguages(captions)) names = withNamesOf(names, await lines(language), language);
  return names;
}

function dependsOnSpeech(captions: CaptionJob, planned: readonly Track[], capabilities: Capabilities): boolean {
  const open = planned.filter(({ status, provided }) => status === 'processing' && !provided);
  const inProgress = Object.fromEntries(open.map(({ language }) => [language, captions.generation]));
  return needsEnglish({ ...captions, inProgress }, capabilities);
}
