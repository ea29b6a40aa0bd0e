/** How much a line break disturbs a reader: little after a clause, much between words that belong together. */
import { primarySubtag } from '../language-tag.ts';
import { isTitle } from '../speech/sentence-ends.ts';
import { wordSet } from '../words.ts';
import type { Atom } from './atoms.ts';

/** Cost of a break between two neighbours, from 0 (the end of a sentence) to 30 (after an article). */
export type BreakCost = (before: Atom, after: Atom) => number;

/** Articles, determiners, prepositions and conjunctions, which belong to what follows. */
const leadingWords: Readonly<Record<string, ReadonlySet<string>>> = {
  en: wordSet(
    'a an the this that these those my your his her its our their no of to in on at by for from with into over under and or but nor as than is are was were be has have had will would can could not very mr mrs dr',
  ),
  es: wordSet(
    'un una unos unas el la los las al del de a en por para con sin sobre entre y e o u pero que su sus mi tu se no muy',
  ),
  pt: wordSet(
    'um uma uns umas o a os as ao à aos às do da dos das no na nos nas de em por para com sem e ou mas que seu sua se não',
  ),
  fr: wordSet(
    'un une des le la les du de au aux à en dans par pour avec sans sur et ou mais que qui son sa ses ce cette se ne pas',
  ),
  it: wordSet(
    'un uno una il lo la i gli le del della dei delle di a da in con su per tra fra e o ma che suo sua si non al alla nel nella',
  ),
  ca: wordSet('un una uns unes el la els les al als del dels de a en per amb sense sobre i o però que el seu es no'),
  gl: wordSet('un unha uns unhas o a os as ao do da dos das no na de en por para con sen e ou pero que seu súa se non'),
  de: wordSet(
    'ein eine einen einem einer der die das den dem des im am zum zur in an auf von mit für und oder aber nicht zu bei nach',
  ),
  nl: wordSet('een de het van in op aan met voor naar door en of maar niet te bij'),
};

/** Words that begin a clause: a good place to break before. */
const clauseOpeners: Readonly<Record<string, ReadonlySet<string>>> = {
  en: wordSet(
    'and but or because while when where who which that so then as if although with for from in of at on to by after before into',
  ),
  es: wordSet('y e o pero porque mientras cuando donde que quien cual si aunque con para de en por a tras'),
  pt: wordSet('e ou mas porque enquanto quando onde que quem se embora com para de em por'),
  fr: wordSet('et ou mais parce pendant quand où qui que si avec pour de en dans par à après'),
  it: wordSet('e o ma perché mentre quando dove che chi se con per di in da a dopo'),
  ca: wordSet('i o però perquè mentre quan on que qui si amb per de en a després'),
  de: wordSet('und oder aber weil während wenn wo dass ob mit für von in auf nach'),
};

const none: ReadonlySet<string> = new Set();

export function breakCosts(language: string): BreakCost {
  const primary = primarySubtag(language);
  const [leading, openers] = [leadingWords[primary] ?? none, clauseOpeners[primary] ?? none];
  return (before, after) => {
    if (isTitle(before.text)) return 30;
    if (/[.!?…。！？؟।]["'”’»)\]]*$/u.test(before.text)) return 0;
    if (/[,;:，、；：،؛—–]["'”’»)\]]*$/u.test(before.text)) return 2;
    if (leading.has(bare(before.text))) return 30;
    if (openers.has(bare(after.text))) return 5;
    if (after.inWord === true) return 20;
    return after.glued ? 9 : 10;
  };
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}'’]/gu, '');
}
