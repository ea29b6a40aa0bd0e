/** Which sport and which category a video is about: the partner's, else what the words indicate. */
import type { Description, Label, LabelSource, Where } from '../model.ts';
import { weights, type Piece } from './places.ts';
import { categoryTerms, sportTerms, type Terms } from './vocabulary.ts';

const sourceOf: Readonly<Record<Where, LabelSource>> = {
  title: 'partner',
  summary: 'partner',
  tags: 'partner',
  transcript: 'transcript',
  screen: 'screen',
};

type Support = { readonly score: number; readonly source: LabelSource; readonly sure: boolean };

/** Labels of sport and category; none without support for one. */
export function subjectLabels({ sport, category }: Description, pieces: readonly Piece[]): readonly Label[] {
  const texts = new Map<Where, string>();
  for (const { where, text } of pieces) texts.set(where, `${texts.get(where) ?? ''}${spaced(text)}`);
  const sports = sport === undefined ? infer('sport', sportTerms, texts) : [partnerLabel(`sport:${sport}`)];
  if (category !== undefined) return [...sports, partnerLabel(`category:${category}`)];
  const [likely] = sports;
  if (likely && likely.confidence >= 0.5)
    return [...sports, { ...likely, name: 'category:sports', confidence: Math.min(0.95, likely.confidence) }];
  return [...sports, ...infer('category', categoryTerms, texts)];
}

/** Words between single spaces, so that a term is found as whole words. */
function spaced(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** The subject with the most support, where it stands out; never as certain as the partner's. */
function infer(prefix: string, all: Readonly<Record<string, Terms>>, texts: ReadonlyMap<Where, string>): Label[] {
  const [best, second] = Object.entries(all)
    .map(([name, terms]) => ({ name, ...supportFor(terms, texts) }))
    .sort((a, b) => b.score - a.score);
  if (!best || !best.sure || best.score < 1.5 * (second?.score ?? 0)) return [];
  const confidence = Number(Math.min(0.9, 1 - Math.exp(-best.score / 5)).toFixed(2));
  return confidence < 0.3 ? [] : [{ name: `${prefix}:${best.name}`, source: best.source, confidence, spans: [] }];
}

/** The support for one subject; each repetition of a term counts less. */
function supportFor({ sure, vague }: Terms, texts: ReadonlyMap<Where, string>): Support {
  const bySource = new Map<LabelSource, number>();
  const weigh = (term: string, weight: number): number => {
    let sum = 0;
    for (const [where, text] of texts) {
      const score = weight * weights[where] * Math.log2(1 + countOf(text, term));
      if (score === 0) continue;
      sum += score;
      bySource.set(sourceOf[where], (bySource.get(sourceOf[where]) ?? 0) + score);
    }
    return sum;
  };
  const certain = sure.reduce((sum, term) => sum + weigh(term, 2), 0);
  const score = certain + vague.reduce((sum, term) => sum + weigh(term, 0.4), 0);
  const [source = 'transcript' as const] = [...bySource].sort((a, b) => b[1] - a[1])[0] ?? [];
  return { score, source, sure: certain > 0 };
}

function countOf(text: string, term: string): number {
  return text.split(` ${term} `).length - 1;
}

function partnerLabel(name: string): Label {
  return { name, source: 'partner', confidence: 1, spans: [] };
}
