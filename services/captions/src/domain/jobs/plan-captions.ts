/** The job `plan`: queries what the engines support, and cuts the sound into chunks for the tracks that can be made. */
import type { MediaPlaylist } from '@vds/proto/documents/media-playlist';
import { planFor, type Capabilities, type CaptionJob } from '../caption-job.ts';
import { cutIntoChunks, type SpeechChunk } from '../transcription/chunks.ts';
import type { Track } from '../track.ts';

export type PlanPorts = {
  /** Languages that can be transcribed. @throws AppError UNAVAILABLE while the engine cannot be reached */
  readonly languages: () => Promise<readonly string[]>;
  readonly capabilities: (query: { readonly force: boolean }) => Promise<Capabilities>;
  /** The playlist of the video's sound. */
  readonly playlist: () => Promise<MediaPlaylist>;
};

export type Plan = {
  readonly planned: readonly Track[];
  readonly capabilities: Capabilities;
  /** Undefined where nothing is transcribed. */
  readonly sound: { readonly playlist: MediaPlaylist; readonly chunks: readonly SpeechChunk[] } | undefined;
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
  if (planned[0]?.status !== 'processing') return { planned, capabilities, sound: undefined };
  const playlist = await ports.playlist();
  return { planned, capabilities, sound: { playlist, chunks: cutIntoChunks(playlist.segments, chunkMs) } };
}
