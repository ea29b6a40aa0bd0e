/** The rules of RFC 8216 that our playlists can violate, as a list of violations. Pure: text in, sentences out. */
import { Parser } from 'm3u8-parser';

export type Variant = {
  readonly uri: string;
  readonly bandwidth: number;
  readonly averageBandwidth: number;
  readonly codecs: string;
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
  readonly audioGroup: string | undefined;
  readonly subtitlesGroup: string | undefined;
};

/** One entry of a player's caption menu. */
export type Subtitles = { readonly name: string; readonly language: string; readonly uri: string };

export type Master = {
  readonly variants: readonly Variant[];
  readonly audioUris: readonly string[];
  readonly subtitles: readonly Subtitles[];
  readonly breaches: readonly string[];
};

type Groups = Record<string, Record<string, { uri?: string; language?: string }>>;
type ParsedMaster = {
  playlists?: { uri: string; attributes: Record<string, unknown> }[];
  mediaGroups?: Partial<Record<'AUDIO' | 'SUBTITLES', Groups>>;
};

/**
 * §4.3.2 and §4.3.3: the requirements for a media playlist of a finished video.
 * @param segments the kind that it lists: fragmented MP4, or WebVTT (§3.5), which has no init segment
 */
export function mediaPlaylistBreaches(text: string, segments: 'mp4' | 'vtt' = 'mp4'): string[] {
  const breaches = commonBreaches(text);
  const target = tagValues(text, 'EXT-X-TARGETDURATION');
  if (target.length !== 1 || !/^\d+$/.test(target[0] ?? ''))
    breaches.push('§4.3.3.1: there must be one whole EXT-X-TARGETDURATION');
  const durations = tagValues(text, 'EXTINF').map((value) => Number(value.split(',')[0]));
  if (durations.length === 0) breaches.push('§4.3.2.1: there is no segment');
  for (const seconds of durations) {
    if (!(seconds > 0)) breaches.push(`§4.3.2.1: EXTINF ${seconds} is not a positive length`);
    if (Math.round(seconds) > Number(target[0]))
      breaches.push(`§4.3.3.1: EXTINF ${seconds} is longer than the target ${target[0]}`);
  }
  const named = lines(text).filter((line) => line !== '' && !line.startsWith('#'));
  if (named.length !== durations.length) breaches.push('§4.3.2.1: segments and EXTINF tags do not pair');
  if (!lines(text).includes('#EXT-X-ENDLIST')) breaches.push('§4.3.3.4: a finished title has no EXT-X-ENDLIST');
  if (tagValues(text, 'EXT-X-PLAYLIST-TYPE').some((type) => type !== 'VOD'))
    breaches.push('§4.3.3.5: the type is not VOD');
  if (segments === 'mp4') breaches.push(...mapBreaches(text));
  const firstSegment = lines(text).findIndex((line) => line.startsWith('#EXTINF'));
  const sequence = lines(text).findIndex((line) => line.startsWith('#EXT-X-MEDIA-SEQUENCE'));
  if (sequence > firstSegment) breaches.push('§4.3.3.2: EXT-X-MEDIA-SEQUENCE comes after a segment');
  return breaches;
}

function commonBreaches(text: string): string[] {
  const breaches: string[] = [];
  if (lines(text)[0] !== '#EXTM3U') breaches.push('§4.3.1.1: the first line is not #EXTM3U');
  if (tagValues(text, 'EXT-X-VERSION').length > 1) breaches.push('§4.3.1.2: more than one EXT-X-VERSION');
  if (text.includes('﻿')) breaches.push('§4.1: there is a byte order mark');
  for (const uri of urisOf(text)) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(uri) || uri.startsWith('/')) breaches.push(`layout: ${uri} is not relative`);
  }
  return breaches;
}

/** Every URI a playlist names: lines that are not tags, and `URI="…"` attributes. */
export function urisOf(text: string): string[] {
  return [
    ...lines(text).filter((line) => line !== '' && !line.startsWith('#')),
    ...[...text.matchAll(/URI="([^"]*)"/g)].map((match) => match[1] ?? ''),
  ];
}

function tagValues(text: string, tag: string): string[] {
  return lines(text)
    .filter((line) => line.startsWith(`#${tag}:`))
    .map((line) => line.slice(tag.length + 2));
}

function lines(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/\r$/, ''));
}

/** §3.3, §4.3.2.5: fragmented MP4 starts with an init segment, which versions before 6 do not support. */
function mapBreaches(text: string): string[] {
  return [
    ...(tagValues(text, 'EXT-X-MAP').length === 0 ? ['§3.3: fragmented MP4 needs EXT-X-MAP'] : []),
    ...(Number(tagValues(text, 'EXT-X-VERSION')[0] ?? 1) < 6 ? ['§7: EXT-X-MAP needs version 6'] : []),
  ];
}

/** Parses a master playlist with a third-party parser and checks §4.3.4. */
export function readMaster(text: string): Master {
  const breaches = commonBreaches(text);
  const parser = new Parser();
  parser.push(text);
  parser.end();
  const manifest = parser.manifest as ParsedMaster;
  const variants = (manifest.playlists ?? []).map(variantOf);
  const groups = manifest.mediaGroups?.AUDIO ?? {};
  const captions = manifest.mediaGroups?.SUBTITLES ?? {};
  if (variants.length === 0) breaches.push('§4.3.4.2: there is no variant');
  for (const variant of variants) {
    if (!(variant.bandwidth > 0)) breaches.push(`§4.3.4.2: ${variant.uri} has no BANDWIDTH`);
    if (variant.averageBandwidth > variant.bandwidth)
      breaches.push(`§4.3.4.2: ${variant.uri} has a mean above its peak`);
    if (variant.codecs === '') breaches.push(`§4.3.4.2: ${variant.uri} has no CODECS`);
    if (variant.width === 0) breaches.push(`§4.3.4.2: ${variant.uri} has no RESOLUTION`);
    if (variant.audioGroup !== undefined && !(variant.audioGroup in groups))
      breaches.push(`§4.3.4.2.1: group ${variant.audioGroup} is not there`);
    if (variant.subtitlesGroup !== undefined && !(variant.subtitlesGroup in captions))
      breaches.push(`§4.3.4.2.1: group ${variant.subtitlesGroup} is not there`);
  }
  if (/#EXTINF|#EXT-X-TARGETDURATION/.test(text)) breaches.push('§4.1: a master playlist holds segment tags');
  const audioUris = Object.values(groups).flatMap((group) =>
    Object.values(group).flatMap(({ uri }) => (uri === undefined ? [] : [uri])),
  );
  const subtitles = Object.values(captions).flatMap((group) =>
    Object.entries(group).map(([name, { uri = '', language = '' }]) => ({ name, language, uri })),
  );
  if (
    new Set(subtitles.map(({ name }) => name)).size !==
    tagValues(text, 'EXT-X-MEDIA').filter((value) => value.startsWith('TYPE=SUBTITLES')).length
  )
    breaches.push('§4.3.4.1.1: two renditions of a group have the same NAME');
  return { variants, audioUris, subtitles, breaches };
}

function variantOf({ uri, attributes }: { uri: string; attributes: Record<string, unknown> }): Variant {
  const size = (attributes['RESOLUTION'] ?? {}) as { width?: number; height?: number };
  return {
    uri,
    bandwidth: Number(attributes['BANDWIDTH']),
    averageBandwidth: Number(attributes['AVERAGE-BANDWIDTH']),
    codecs: typeof attributes['CODECS'] === 'string' ? attributes['CODECS'] : '',
    width: size.width ?? 0,
    height: size.height ?? 0,
    frameRate: Number(attributes['FRAME-RATE']),
    audioGroup: attributes['AUDIO'] as string | undefined,
    subtitlesGroup: attributes['SUBTITLES'] as string | undefined,
  };
}
