/** The languages of Whisper, as compatible servers name them in their responses, and their ISO 639-1 codes. */

const named = `en english|zh chinese|de german|es spanish|ru russian|ko korean|fr french|ja japanese|pt portuguese|tr turkish|
pl polish|ca catalan|nl dutch|ar arabic|sv swedish|it italian|id indonesian|hi hindi|fi finnish|vi vietnamese|he hebrew|
uk ukrainian|el greek|ms malay|cs czech|ro romanian|da danish|hu hungarian|ta tamil|no norwegian|th thai|ur urdu|
hr croatian|bg bulgarian|lt lithuanian|la latin|mi maori|ml malayalam|cy welsh|sk slovak|te telugu|fa persian|lv latvian|
bn bengali|sr serbian|az azerbaijani|sl slovenian|kn kannada|et estonian|mk macedonian|br breton|eu basque|is icelandic|
hy armenian|ne nepali|mn mongolian|bs bosnian|kk kazakh|sq albanian|sw swahili|gl galician|mr marathi|pa punjabi|
si sinhala|km khmer|sn shona|yo yoruba|so somali|af afrikaans|oc occitan|ka georgian|be belarusian|tg tajik|sd sindhi|
gu gujarati|am amharic|yi yiddish|lo lao|uz uzbek|fo faroese|ht haitian creole|ps pashto|tk turkmen|nn nynorsk|mt maltese|
sa sanskrit|lb luxembourgish|my myanmar|bo tibetan|tl tagalog|mg malagasy|as assamese|tt tatar|ln lingala|ha hausa|
ba bashkir|jv javanese|su sundanese`;

const rows = named.split('|').map((row) => {
  const [code = '', ...name] = row.trim().split(' ');
  return { code, name: name.join(' ') };
});

/** Codes that some servers still use for the same language. */
const older: Readonly<Record<string, string>> = { iw: 'he', in: 'id', ji: 'yi', jw: 'jv', nb: 'no', fil: 'tl' };

const codes = new Set(rows.map(({ code }) => code));
const byName = new Map(rows.map(({ code, name }) => [name, code]));

export const whisperLanguages: readonly string[] = rows.map(({ code }) => code);

/** `English`, `en` or `en-US` as `en`; undefined for an unknown language. */
export function readLanguage(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const text = name.trim().toLowerCase();
  const code = text.split(/[-_]/, 1)[0] ?? '';
  return byName.get(text) ?? older[code] ?? (codes.has(code) ? code : undefined);
}
