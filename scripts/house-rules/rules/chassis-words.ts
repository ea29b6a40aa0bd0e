/** The chassis knows no word of the domain: what it does serves any house. */
import { filesThat, lineAt, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

/** Words of the field that a chassis has no business with; plurals are found as well. */
const domain = new Set(
  (
    'video clip caption subtitle cue rung rendition ladder playlist hls thumbnail storyboard playback transcode ' +
    'transcript codec audio sport ingest catalog gateway indexer republish'
  ).split(' '),
);

export const chassisWords: Rule = {
  name: 'no identifier, string or file name in _chassis holds a word of the video domain',
  breaches: (repository) =>
    filesThat(repository, /^services\/_chassis\/(src|migrations)\//).flatMap(([path, text]) => {
      const words = path.endsWith('.ts')
        ? sourceOf(path, text).words
        : [...withoutSqlComments(text).matchAll(/\w+/g)].map((match) => ({
            text: match[0],
            line: lineAt(text, match.index),
          }));
      return [
        ...domainWords(path.slice('services/_chassis/'.length)).map((word) => `${path} has '${word}' in its name`),
        ...words.flatMap(({ text: found, line }) =>
          domainWords(found).map((word) => `${path}:${line} says '${word}', a word of the domain`),
        ),
      ];
    }),
};

function withoutSqlComments(text: string): string {
  return text.replaceAll(/--[^\n]*/g, '');
}

/** `videoKey`, `video_key`, `VIDEO-KEY` → video, key. */
function partsOf(text: string): string[] {
  return (text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((part) => part.toLowerCase());
}

function domainWords(text: string): string[] {
  return partsOf(text).filter((part) => domain.has(part) || domain.has(part.replace(/s$/, '')));
}
