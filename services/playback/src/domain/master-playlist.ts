/** The master playlist (RFC 8216 §4.3.4) of a ladder and its caption tracks; every address in it is relative. */
import type { LadderDocument, LadderRung } from '@vds/proto/documents/ladder';
import { shortestTag } from './language-tag.ts';
import type { Subtitle } from './subtitles.ts';

/** Players start with the first variant until they have measured the bandwidth: one that suits most connections. */
const START_BANDWIDTH = 2_000_000;
const AUDIO_GROUP = 'audio';
const SUBTITLES_GROUP = 'subs';
/** RFC 8216 §4.3.4.1: captions for viewers who cannot hear the sound. */
const TRANSCRIBES = 'public.accessibility.transcribes-spoken-dialog';

type Audio = LadderDocument['audio'];

/** Composes the playlist; the same ladder and tracks always give the same text. */
export function masterPlaylist(
  { rungs, audio }: Pick<LadderDocument, 'rungs' | 'audio'>,
  subtitles: readonly Subtitle[],
): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...(audio ? [audioLine(audio)] : []),
    ...subtitles.map(subtitleLine),
    ...startVariantFirst(rungs).flatMap((rung) => variantLines(rung, audio, subtitles.length > 0)),
    ...rungs.flatMap(picturesLine),
    '',
  ].join('\n');
}

function audioLine(audio: NonNullable<Audio>): string {
  const language = shortestTag(audio.language ?? 'und');
  const attributes = [
    'TYPE=AUDIO',
    `GROUP-ID="${AUDIO_GROUP}"`,
    'NAME="Audio"',
    ...(language === undefined || language === 'und' ? [] : [`LANGUAGE="${language}"`]),
    'DEFAULT=YES',
    'AUTOSELECT=YES',
    `CHANNELS="${audio.channels}"`,
    `URI="${audio.playlist}"`,
  ];
  return `#EXT-X-MEDIA:${attributes.join(',')}`;
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

function variantLines(rung: LadderRung, audio: Audio, hasSubtitles: boolean): readonly string[] {
  const attributes = [
    `BANDWIDTH=${rung.bandwidth + (audio?.bandwidth ?? 0)}`,
    `AVERAGE-BANDWIDTH=${rung.averageBandwidth + (audio?.averageBandwidth ?? 0)}`,
    `CODECS="${[rung.codecs, ...(audio ? [audio.codecs] : [])].join(',')}"`,
    `RESOLUTION=${rung.width}x${rung.height}`,
    `FRAME-RATE=${rung.frameRate.toFixed(3)}`,
    ...(audio ? [`AUDIO="${AUDIO_GROUP}"`] : []),
    ...(hasSubtitles ? [`SUBTITLES="${SUBTITLES_GROUP}"`] : []),
    'CLOSED-CAPTIONS=NONE',
  ];
  return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, rung.playlist];
}
