/** The ports of the jobs: sound, tracks and engines. All of them end with the job. */
import { createHash } from 'node:crypto';
import { messageOf } from '@vds/chassis/errors';
import { getDocument } from '@vds/chassis/objects/documents';
import { textsDocument, type TextCue } from '@vds/proto/documents/texts';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import type { Objects } from '@vds/chassis/objects/objects';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { CaptionJob } from '../domain/caption-job.ts';
import { sameLanguage } from '../domain/language-tag.ts';
import { languagesOf } from '../domain/provided.ts';
import type { PlanPorts } from '../domain/jobs/plan-captions.ts';
import type { RenderPorts } from '../domain/jobs/render-spoken.ts';
import type { StoreTrack } from '../domain/jobs/store-track.ts';
import type { ChunkSound, TranscribePorts } from '../domain/jobs/transcribe-chunk.ts';
import type { TranslatePorts } from '../domain/jobs/translate-track.ts';
import type { QueuedJob } from '../domain/queued-jobs.ts';
import type { Coverage } from './coverage.ts';
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { TranslationEngine } from './engines/translation-engine.ts';
import { extractSound, fetchPlaylist, type SoundTools } from './sound.ts';
import { loadTrack, storeTrack } from './track-store.ts';

export type PortDeps = {
  readonly media: Objects;
  readonly captions: Objects;
  readonly speech: Pick<SpeechEngine, 'transcribe' | 'toEnglish'>;
  readonly translate: TranslationEngine['translate'];
  readonly coverage: Coverage;
  readonly sound: SoundTools;
  readonly log: Logger;
};

type Job = Parameters<typeof storeTrack>[1];
type ChunkJob = Job & { readonly payload: Extract<QueuedJob, { readonly kind: 'transcribe' }> };

/** Ports of `planCaptions`. */
export function planPorts({ coverage, media, log }: PortDeps, captions: CaptionJob): PlanPorts {
  return {
    languages: coverage.languages,
    capabilities: coverage.capabilities,
    playlist: () => fetchPlaylist(media, captions.audioPlaylistKey),
    lines: async (language) => {
      try {
        return (await readProvided(media, captions, language)).flatMap(({ lines }) => lines);
      } catch (error) {
        log.warn(
          { video_id: captions.videoId, reason: messageOf(error) },
          'no names are taken from captions in the file',
        );
        return [];
      }
    },
  };
}

/** Ports of `transcribeChunk`. */
export function transcribePorts(
  deps: PortDeps,
  job: ChunkJob,
  { progress, ...of }: Pick<TranscribePorts, 'progress'> & Heard,
): TranscribePorts {
  const { signal, videoId } = job;
  return {
    extractSound: () => soundOf(deps, job, of),
    progress,
    noEnglish: (error) =>
      deps.log.warn(
        { video_id: videoId, reason: messageOf(error) },
        'no English could be made of a part of the speech',
      ),
    signal,
  };
}

type Heard = Pick<CaptionJob, 'language' | 'names' | 'soundCues'> & { readonly scratch: string };

async function soundOf(deps: PortDeps, job: ChunkJob, { language, names, ...of }: Heard): Promise<ChunkSound> {
  const { signal, payload } = job;
  const { transcribe, toEnglish } = deps.speech;
  const { levels, pitches, seconds, ...sound } = await extractSound(deps.sound, deps.media, payload, { ...of, signal });
  await failpoint('captions.sound-extracted');
  const input = { ...sound, language, names, offsetMs: payload.startMs };
  return {
    levels,
    pitches,
    seconds,
    transcribe: (onProgress) => transcribe(input, signal, onProgress),
    ...(toEnglish && { toEnglish: (onProgress) => toEnglish(input, signal, onProgress) }),
  };
}

/** Ports of `renderSpoken`. */
export function renderPorts({ captions, media }: PortDeps, job: Job, of: CaptionJob): RenderPorts {
  return {
    store: storeOf(captions, job),
    provided: (language) => readProvided(media, of, language),
    digest: (text) => createHash('sha256').update(text).digest('hex'),
  };
}

/** Ports of `translateTrack`. */
export function translatePorts(
  { captions, media, coverage, translate }: PortDeps,
  job: Job,
  of: CaptionJob,
): TranslatePorts {
  const store = storeOf(captions, job);
  return {
    route: async (from, to, force) => (await coverage.routes(force))(from, to),
    text: (textKey) => loadTrack(captions, textKey),
    provided: (language) => readProvided(media, of, language),
    translate: (sentences, steps) => translate(sentences, steps, job.signal),
    store: async (...track) => {
      await failpoint('captions.track-translated');
      const stored = await store(...track);
      await failpoint('captions.track-stored');
      return stored;
    },
  };
}

/** The first track of the file in this language. */
async function readProvided(media: Objects, captions: CaptionJob, language: string): Promise<readonly TextCue[]> {
  const { tracks } = await getDocument(media, captions.textsKey, textsDocument);
  const place = languagesOf(captions).findIndex((other) => other !== undefined && sameLanguage(other, language));
  return tracks[place]?.cues ?? [];
}

function storeOf(captions: Objects, job: Job): StoreTrack {
  return (...track) => storeTrack(captions, job, ...track);
}
