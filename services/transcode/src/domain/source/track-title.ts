/** What a file calls one of its tracks, as far as that tells viewers something. */
import { plainLine } from './plain-line.ts';

const MAX_TITLE = 60;
/** Names that muxers write by themselves. */
const generic = /handler|^(?:sound|audio|stereo|surround|mono|track)\s*\d*$|core media|mainconcept|gpac|^isomedia/i;

/**
 * @param tags of the track, as ffprobe prints them
 * @returns at most 60 characters in one line, without quotation marks (RFC 8216 §4.2), or undefined
 */
export function trackTitle(tags: Readonly<Record<string, unknown>>): string | undefined {
  for (const value of [tags['title'], tags['name'], tags['handler_name']]) {
    if (typeof value !== 'string') continue;
    const title = plainLine(value.replaceAll(/["\p{Cf}\uFFFD]+/gu, ' '), MAX_TITLE);
    if (title !== '' && !generic.test(title)) return title;
  }
  return undefined;
}
