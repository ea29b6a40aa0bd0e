/** The master playlist (RFC 8216 §4.3.4) of a ladder and its caption tracks; every address in it is relative. */
import type { LadderAudio, LadderDocument, LadderOriginal, LadderRung } from '@vds/proto/documents/ladder';
import { shortestTag } from './language-tag.ts';
import type { Subtitle } from './subtitles.ts';

/** Players start with the first variant until they have measured the bandwidth: one that suits most connections. */
const START_BANDWIDTH = 2_000_000;
const AUDIO_GROUP = 'audio';
const SUBTITLES_GROUP = 'subs';
/** RFC 8216 §4.3.4.1: captions for viewers who cannot hear the sound. */
const TRANSCRIBES = 'public.accessibility.transcribes-spoken-dialog';

/** What Apple's authoring rules call the roles. */
const characteristics: Partial<Record<NonNullable<LadderAudio['role']>, string>> = {
  description: 'public.accessibility.describes-video',
  clean: 'public.accessibility.enhances-speech-intelligibility',
};
const roleNames = {
  main: '',
  commentary: 'commentary',
  description: 'audio description',
  clean: 'clear sound',
} as const;

type Audio = LadderDocument['audio'];

/** Composes the playlist; the same ladder and tracks always give the same text. */
export function masterPlaylist(
  { rungs, original, audio, alternates = [] }: Pick<LadderDocument, 'rungs' | 'original' | 'audio' | 'alternates'>,
  subtitles: readonly Subtitle[],
): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    ...(original?.independent === false ? [] : ['#EXT-X-INDEPENDENT-SEGMENTS']),
    ...audioLines(audio ? [audio, ...alternates] : []),
    ...subtitles.map(subtitleLine),
    ...startVariantFirst(rungs).flatMap((rung) =>
      variantLines(rung, loudest(audio, alternates), subtitles.length > 0, original && 'SDR'),
    ),
    ...(original ? variantLines(original, loudest(audio, alternates), subtitles.length > 0, original.range) : []),
    ...rungs.flatMap(picturesLine),
    '',
  ].join('\n');
}

/**
 * The first one is the default. Players choose another one by themselves where it is in the viewer's language, or is for
 * viewers who do not see or hear well; never a commentary.
 */
function audioLines(tracks: readonly LadderAudio[]): readonly string[] {
  const names: string[] = [];
  return tracks.map((track, place) => {
    const { role = 'main', channels, playlist } = track;
    const language = languageOf(track);
    const wanted = nameOf(track, tracks.length === 1);
    const name = firstFree(wanted, names);
    names.push(name);
    const isFirst = place === 0;
    const isNew = tracks.slice(0, place).every((other) => languageOf(other) !== language);
    const isAutomatic = isFirst || characteristics[role] !== undefined || (role === 'main' && isNew);
    const attributes = [
      'TYPE=AUDIO',
      `GROUP-ID="${AUDIO_GROUP}"`,
      `NAME="${name}"`,
      ...(language === undefined ? [] : [`LANGUAGE="${language}"`]),
      `DEFAULT=${isFirst ? 'YES' : 'NO'}`,
      `AUTOSELECT=${isAutomatic ? 'YES' : 'NO'}`,
      ...(characteristics[role] === undefined ? [] : [`CHARACTERISTICS="${characteristics[role]}"`]),
      `CHANNELS="${channels}"`,
      `URI="${playlist}"`,
    ];
    return `#EXT-X-MEDIA:${attributes.join(',')}`;
  });
}

/** Names of a group are unique (RFC 8216 §4.3.4.1.1). */
function firstFree(wanted: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} (${number})`;
    if (!taken.includes(name)) return name;
  }
}

function languageOf({ language }: LadderAudio): string | undefined {
  const tag = shortestTag(language ?? 'und');
  return tag === 'und' ? undefined : tag;
}

/** The file's own name, else the language's in itself, each with what the track is for. */
function nameOf(track: LadderAudio, isOnly: boolean): string {
  const { title, role = 'main' } = track;
  if (title !== undefined) return title;
  const language = isOnly ? undefined : languageOf(track);
  const name = language && new Intl.DisplayNames([language], { type: 'language' }).of(language);
  const what = roleNames[role];
  return `${name ?? 'Audio'}${what && ` (${what})`}`;
}

/** Variants declare what their renditions take at most (RFC 8216 §4.3.4.2). */
function loudest(audio: Audio, alternates: readonly LadderAudio[]): Audio {
  if (!audio) return null;
  const all = [audio, ...alternates];
  return {
    ...audio,
    bandwidth: Math.max(...all.map(({ bandwidth }) => bandwidth)),
    averageBandwidth: Math.max(...all.map(({ averageBandwidth }) => averageBandwidth)),
  };
}

function subtitleLine({ language, name, spoken, playlist }: Subtitle): string {
  const attributes = [
    'TYPE=SUBTITLES',
    `GROUP-ID="${SUBTITLES_GROUP}"`,
    `NAME="${name}"`,
    `LANGUAGE="${language}"`,
    'DEFAULT=NO',
    'AUTOSELECT=YES',
    'FORCED=NO',
    ...(spoken ? [`CHARACTERISTICS="${TRANSCRIBES}"`] : []),
    `URI="c/${language}/${playlist}"`,
  ];
  return `#EXT-X-MEDIA:${attributes.join(',')}`;
}

/** What players show while a viewer seeks or winds (RFC 8216 §4.3.4.3). */
function picturesLine({ pictures, codecs, width, height }: LadderRung): readonly string[] {
  if (!pictures) return [];
  const size = `RESOLUTION=${width}x${height}`;
  return [
    `#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=${pictures.bandwidth},CODECS="${codecs}",${size},URI="${pictures.playlist}"`,
  ];
}

function startVariantFirst(rungs: readonly LadderRung[]): readonly LadderRung[] {
  const descending = rungs.toSorted((a, b) => b.bandwidth - a.bandwidth);
  const first = descending.find(({ bandwidth }) => bandwidth <= START_BANDWIDTH) ?? descending.at(-1);
  return descending.toSorted((a, b) => Number(b === first) - Number(a === first));
}

/** @param range left out where all variants have the usual one */
function variantLines(
  rung: LadderRung & Pick<LadderOriginal, 'supplementalCodecs'>,
  audio: Audio,
  hasSubtitles: boolean,
  range: LadderOriginal['range'] | undefined,
): readonly string[] {
  const attributes = [
    `BANDWIDTH=${rung.bandwidth + (audio?.bandwidth ?? 0)}`,
    `AVERAGE-BANDWIDTH=${rung.averageBandwidth + (audio?.averageBandwidth ?? 0)}`,
    `CODECS="${[rung.codecs, ...(audio ? [audio.codecs] : [])].join(',')}"`,
    ...(rung.supplementalCodecs === undefined ? [] : [`SUPPLEMENTAL-CODECS="${rung.supplementalCodecs}"`]),
    `RESOLUTION=${rung.width}x${rung.height}`,
    `FRAME-RATE=${rung.frameRate.toFixed(3)}`,
    ...(range === undefined ? [] : [`VIDEO-RANGE=${range}`]),
    ...(audio ? [`AUDIO="${AUDIO_GROUP}"`] : []),
    ...(hasSubtitles ? [`SUBTITLES="${SUBTITLES_GROUP}"`] : []),
    'CLOSED-CAPTIONS=NONE',
  ];
  return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, rung.playlist];
}
