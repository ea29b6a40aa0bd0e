/** Which tracks a video gets: the spoken language and 18 more, each listed whatever its outcome. */
import { primarySubtag, sameLanguage } from './language-tag.ts';
import type { FindRoute } from './routes.ts';
import { uniqueNames } from './track-names.ts';
import type { Track, TrackReason } from './track.ts';

/** Translations of one video. */
export const TRANSLATIONS = 18;

/** Languages by their viewers, as engines name them that know most languages; long enough for any spoken one. */
const byViewers = 'en es pt fr de it ar hi ja ko zh ru tr id nl pl vi th uk sv'.split(' ');

/**
 * Of apertium: those by viewers first, then all that it reaches from English; those that it does not reach take no place
 * of theirs. German alone stands among the first, as no list without it would be one by viewers.
 */
const apertium =
  'en es pt-BR fr de it pt ca gl oc an ast sc eo frp ca-valencia oc-aranes oc-gascon ja ar hi ko zh ru'.split(' ');

/** The targets where the operator names none. */
export function defaultTargets(translationEngine: string): readonly string[] {
  return translationEngine === 'apertium' ? apertium : byViewers;
}

export type TrackPlanInput = {
  /** The spoken language, BCP 47. */
  readonly source: string;
  /** BCP 47, in the operator's order. */
  readonly targets: readonly string[];
  /** Languages that the speech engine transcribes; `*` is any. */
  readonly speechLanguages: readonly string[];
  readonly routes: FindRoute;
  readonly hasAudio: boolean;
  /** Languages of the captions inside the file. */
  readonly provided: readonly string[];
};

/** Why a list leaves fewer than 18 targets for some spoken language; undefined where it never does. */
export function describeTargetShortage(targets: readonly string[]): string | undefined {
  const spoken = [...new Set(targets.map(primarySubtag)), 'mul'];
  const worst = spoken.find((source) => targetsFor(source, targets).length < TRANSLATIONS);
  if (worst === undefined) return undefined;
  const left = targetsFor(worst, targets).length;
  const videos = worst === 'mul' ? 'for any video' : `for a video in '${worst}'`;
  return `${left} of ${TRANSLATIONS} targets are left ${videos}; a target twice counts once`;
}

/** The first 18 targets in another language than the spoken one. */
export function targetsFor(source: string, targets: readonly string[]): string[] {
  return [...new Set(targets)].filter((target) => !sameLanguage(target, source)).slice(0, TRANSLATIONS);
}

/**
 * Every track of a video, the spoken language's first: to be made, or skipped for a reason that is already known. Captions
 * inside the file take the place of what would be made in their language, and that of the last target else.
 */
export function planTracks(input: TrackPlanInput): Track[] {
  const { source, targets, routes, provided } = input;
  const spokenIsProvided = isAmong(source, provided);
  const videoReason = spokenIsProvided ? undefined : skipReason(input);
  const spoken = {
    ...{ language: source, kind: 'captions' as const, path: [source], ...statusFor(videoReason) },
    ...(spokenIsProvided && { provided: true as const }),
  };
  const translated = withProvided(targetsFor(source, targets), source, provided).map((language) => {
    if (isAmong(language, provided))
      return {
        language,
        kind: 'subtitles' as const,
        provided: true as const,
        path: [language],
        ...statusFor(undefined),
      };
    const route = routes(source, language);
    const reason = videoReason ?? (route === undefined ? 'no_path' : undefined);
    return { language, kind: 'subtitles' as const, path: route?.path ?? [], ...statusFor(reason) };
  });
  const tracks = [spoken, ...translated];
  const names = uniqueNames(tracks);
  return tracks.map((track, index) => ({ ...track, name: names[index] ?? track.language }));
}

function isAmong(language: string, provided: readonly string[]): boolean {
  return provided.some((other) => sameLanguage(other, language));
}

/** The same number of targets, with all that are provided. */
function withProvided(targets: readonly string[], source: string, provided: readonly string[]): string[] {
  const more = provided.filter((language) => !sameLanguage(language, source) && !isAmong(language, targets));
  const free = targets.filter((target) => !isAmong(target, provided));
  const dropped = new Set(
    free.slice(Math.max(0, free.length - Math.max(0, targets.length + more.length - TRANSLATIONS))),
  );
  return [...targets.filter((target) => !dropped.has(target)), ...more].slice(0, TRANSLATIONS);
}

/** Why no track of the video can be made. */
function skipReason({ hasAudio, speechLanguages, source }: TrackPlanInput): TrackReason | undefined {
  if (!hasAudio) return 'no_audio';
  const isSupported = speechLanguages.some((language) => language === '*' || sameLanguage(language, source));
  return isSupported ? undefined : 'language_unsupported';
}

function statusFor(reason: TrackReason | undefined): Pick<Track, 'status' | 'reason'> {
  return reason === undefined ? { status: 'processing' } : { status: 'skipped', reason };
}
