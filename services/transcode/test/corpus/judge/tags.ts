/** Checks that every rung declares its colours in the header that players read first, and has nothing undeclared. */
import type { ComparedRung } from './rung.ts';

const wanted = {
  pix_fmt: 'yuv420p',
  color_range: 'tv',
  color_space: 'bt709',
  color_transfer: 'bt709',
  color_primaries: 'bt709',
};

export function judgeTags({ name, made, tags }: ComparedRung): string[] {
  const aspect = tags['sample_aspect_ratio'] ?? '1:1';
  return [
    ...Object.entries(wanted).flatMap(([key, value]) =>
      tags[key] === value ? [] : [`${name}: ${key} is ${tags[key] ?? 'undeclared'}, not ${value}`],
    ),
    ...(made.closedCaptions ? [`${name}: captions that the master playlist denies are inside its pictures`] : []),
    ...(aspect === '1:1' ? [] : [`${name}: its pixels are not square but ${aspect}`]),
  ];
}
