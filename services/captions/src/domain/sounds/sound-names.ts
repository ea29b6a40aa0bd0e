/** What a sound is called in brackets, by language: viewers read these few words, so that no engine translates them. */
import type { TextCue } from '@vds/proto/documents/texts';
import { primarySubtag } from '../language-tag.ts';
import type { Span } from '../words.ts';

const kinds = ['crowd', 'music'] as const;
export type SoundKind = (typeof kinds)[number];
export type Sound = Span & { readonly kind: SoundKind };

const rows = `en crowd noise|music;es ruido del público|música;pt barulho do público|música;fr bruit de la foule|musique;
de Publikumslärm|Musik;it rumore del pubblico|musica;ar ضجيج الجمهور|موسيقى;hi भीड़ का शोर|संगीत;ja 歓声|音楽;ko 함성|음악;
zh 人群喧哗|音乐;zh-Hant 人群喧嘩|音樂;ru шум толпы|музыка;tr kalabalık sesi|müzik;id suara penonton|musik;nl publieksgeluid|muziek;
pl odgłosy tłumu|muzyka;vi tiếng đám đông|nhạc;th เสียงฝูงชน|ดนตรี;uk шум натовпу|музика;sv publikljud|musik;
ca soroll del públic|música;gl ruído do público|música;oc bruch de la fola|musica;an ruido d’o publico|mosica;
ast ruíu del públicu|música;sc tzocu de sa gente|mùsica;eo bruo de la homamaso|muziko;frp bruit de la fola|musica`;

const names = new Map(
  rows.split(';').map((row) => {
    const [language = '', ...rest] = row.trim().split(' ');
    const [crowd = '', music = ''] = rest.join(' ').split('|');
    return [language, { crowd, music }] as const;
  }),
);

/** `[music]`; undefined in a language that the table lacks. */
export function soundName(kind: SoundKind, language: string): string | undefined {
  const name = (names.get(language) ?? names.get(primarySubtag(language)))?.[kind];
  return name === undefined ? undefined : `[${name}]`;
}

/** The sound that a cue names, as `soundName` writes it, or none. */
export function soundIn({ startMs, endMs, lines }: TextCue, language: string): Sound[] {
  const [line] = lines;
  const kind = lines.length === 1 ? kinds.find((one) => soundName(one, language) === line) : undefined;
  return kind === undefined ? [] : [{ kind, startMs, endMs }];
}
