/**
 * Key moments of made games. Most are fed as measurements; of three, files are made, encoded and analyzed as a video is.
 */
import { print } from '@vds/testkit/servers/progress';
import type { KeyMoment } from '@vds/metadata/domain/model';
import { findKeyMoments } from '@vds/metadata/domain/moments/key-moments';
import { judge, type Judgement } from './judge.ts';
import { filmed, games, type Game, type Part } from './made-games.ts';
import { simulate, type Measured } from './simulated.ts';

type Result = Judgement & { readonly game: Game };

/** @param parts `simulated`: of the games without files alone */
export async function benchMoments(parts: readonly string[]): Promise<void> {
  const results = games.map((game) => resultOf(game, simulate(game)));
  report('simulated', results);
  if (parts.includes('simulated')) return;
  const { analyzeFilmed } = await import('./filmed.ts');
  const onFiles: Result[] = [];
  for (const game of filmed) onFiles.push(resultOf(game, await analyzeFilmed(game)));
  report('on files', onFiles);
  report('all', [...results, ...onFiles]);
}

function resultOf(game: Game, measured: Measured): Result {
  const judgement = judge(game, momentsOf(measured));
  const { right, found, recalled, known, wrong, missed } = judgement;
  const list = (texts: readonly string[]): string => texts.join('; ') || 'none';
  print(`  ${game.id.padEnd(20)} ${right} of ${found} right, ${recalled} of ${known} known; wrong: ${list(wrong)}; missed: ${list(missed)}`); // prettier-ignore
  return { game, ...judgement };
}

export function momentsOf({ durationMs, analyses, transcript }: Measured): KeyMoment[] {
  return findKeyMoments({
    ...{ durationMs, transcript },
    seconds: analyses.flatMap(({ seconds }) => seconds),
    shots: analyses.flatMap(({ shots }) => shots),
    texts: analyses.flatMap(({ texts }) => texts),
    prints: analyses.flatMap(({ prints = [] }) => prints),
  });
}

function report(name: string, results: readonly Result[]): void {
  for (const part of ['tuning', 'held-out'] satisfies Part[]) {
    const own = results.filter(({ game }) => game.part === part);
    const { precision, recall } = figuresOf(own);
    print(
      `${name}, ${part}: precision@10 ${precision.toFixed(2)}, recall ${recall.toFixed(2)} over ${own.length} games`,
    );
  }
}

/** Means over the games. */
export function figuresOf(results: readonly Judgement[]): { readonly precision: number; readonly recall: number } {
  const mean = (share: (result: Judgement) => number): number =>
    results.reduce((sum, result) => sum + share(result), 0) / Math.max(1, results.length);
  return {
    precision: mean(({ right, found }) => (found === 0 ? 0 : right / found)),
    recall: mean(({ recalled, known }) => recalled / Math.max(1, known)),
  };
}
