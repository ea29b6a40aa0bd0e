/** How much a line break disturbs a reader: little after a clause, much between words that belong together. */
import { primarySubtag } from '../language-tag.ts';
import type { Atom } from './atoms.ts';

/** Articles, determiners, prepositions and conjunctions, which belong to what follows. */
const leaning: Readonly<Record<string, ReadonlySet<string>>> = {
  en: set(
    'a an the this that these those my your his her its our their no of to in on at by for from with into over under and or but nor as than is are was were be has have had will would can could not very mr mrs dr',
  ),
  es: set(
    'un una unos unas el la los las al del de a en por para con sin sobre entre y e o u pero que su sus mi tu se no muy',
  ),
  pt: set(
    'um uma uns umas o a os as ao à aos às do da dos das no na nos nas de em por para com sem e ou mas que seu sua se não',
  ),
  fr: set(
    'un une des le la les du de au aux à en dans par pour avec sans sur et ou mais que qui son sa ses ce cette se ne pas',
  ),
  it: set(
    'un uno una il lo la i gli le del della dei delle di a da in con su per tra fra e o ma che suo sua si non al alla nel nella',
  ),
  ca: set('un una uns unes el la els les al als del dels de a en per amb sense sobre i o però que el seu es no'),
  gl: set('un unha uns unhas o a os as ao do da dos das no na de en por para con sen e ou pero que seu súa se non'),
  de: set(
    'ein eine einen einem einer der die das den dem des im am zum zur in an auf von mit für und oder aber nicht zu bei nach',
  ),
  nl: set('een de het van in op aan met voor naar door en of maar niet te bij'),
};

/** Words that begin a clause: a good place to break before. */
const opening: Readonly<Record<string, ReadonlySet<string>>> = {
  en: set(
    'and but or because while when where who which that so then as if although with for from in of at on to by after before into',
  ),
  es: set('y e o pero porque mientras cuando donde que quien cual si aunque con para de en por a tras'),
  pt: set('e ou mas porque enquanto quando onde que quem se embora com para de em por'),
  fr: set('et ou mais parce pendant quand où qui que si avec pour de en dans par à après'),
  it: set('e o ma perché mentre quando dove che chi se con per di in da a dopo'),
  ca: set('i o però perquè mentre quan on que qui si amb per de en a després'),
  de: set('und oder aber weil während wenn wo dass ob mit für von in auf nach'),
};

const none: ReadonlySet<string> = new Set();

/** Cost of a break between two neighbours, from 0 (the end of a sentence) to 30 (after an article). */
export function breakCosts(language: string): (before: Atom, after: Atom) => number {
  const primary = primarySubtag(language);
  const [leans, opens] = [leaning[primary] ?? none, opening[primary] ?? none];
  return (before, after) => {
    if (/[.!?…。！？؟।]["'”’»)\]]*$/u.test(before.text)) return 0;
    if (/[,;:，、；：،؛—–]["'”’»)\]]*$/u.test(before.text)) return 2;
    if (leans.has(bare(before.text))) return 30;
    if (opens.has(bare(after.text))) return 5;
    return after.glued ? 9 : 10;
  };
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}'’]/gu, '');
}

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
