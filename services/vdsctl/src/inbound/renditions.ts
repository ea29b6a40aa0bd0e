/** What of the partner's file viewers can choose: its sound, its own pictures, captions that came with it, chapters. */
import type { AudioRenditionOut } from '@vds/proto/generated/vds/transcode/v1/AudioRendition.ts';
import type { LadderOut } from '@vds/proto/generated/vds/transcode/v1/Ladder.ts';
import type { TrackOut } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import { messageOf, orUndefinedIfNotFound } from '@vds/chassis/errors';
import type { AdminClients } from '../outbound/admin-clients.ts';

/** Undefined where there is none yet, a sentence where its service does not answer. */
export type Renditions = {
  readonly ladder: LadderOut | string | undefined;
  /** Captions that came with the file. */
  readonly provided: readonly TrackOut[] | string | undefined;
};

/** Who asks about one video does not wait long for a service that hangs. */
const PATIENCE_MS = 5_000;

export async function renditionsOf(clients: AdminClients, videoId: string): Promise<Renditions> {
  const options = { timeoutMs: PATIENCE_MS };
  const [ladder, provided] = await Promise.all([
    orReason(async () => clients.ladders().GetLadder({ videoId }, options)),
    orReason(async () => {
      const { state } = await clients.tracks().GetTracks({ videoId }, options);
      return state?.tracks.filter((track) => track.provided) ?? [];
    }),
  ]);
  return { ladder, provided };
}

async function orReason<T>(lookup: () => Promise<T>): Promise<T | string | undefined> {
  try {
    return await orUndefinedIfNotFound(lookup());
  } catch (error) {
    return `unknown: ${messageOf(error)}`;
  }
}

/** Lines of the screen; nothing for what the video does not have. */
export function renditionFacts({ ladder, provided }: Renditions): (readonly [string, string])[] {
  const captions = typeof provided === 'string' ? provided : provided?.map(captionLine).join(', ') || undefined;
  if (typeof ladder !== 'object') return [...facts('sound', ladder), ...facts('provided', captions)];
  const { audio, alternates, original, originalRange, chapters } = ladder;
  const own = original && `${original.width}x${original.height}, ${originalRange}, ${original.codecs}`;
  return [
    ...[...(audio ? [audio] : []), ...alternates].flatMap((track) => facts('sound', soundLine(track))),
    ...facts('original', own),
    ...facts('provided', captions),
    ...facts('chapters', chapters > 0 ? String(chapters) : undefined),
  ];
}

function facts(name: string, value: string | null | undefined): (readonly [string, string])[] {
  return value === undefined || value === null ? [] : [[name, value]];
}

function soundLine({ language, role, title }: AudioRenditionOut): string {
  return [language || 'no language', role, ...(title === '' ? [] : [title])].join(', ');
}

function captionLine({ language, name, status }: TrackOut): string {
  return `${language} (${name}${status === 'ready' ? '' : `, ${status}`})`;
}
