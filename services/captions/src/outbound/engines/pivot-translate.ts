/**
 * Translates sentences through every step of a path. Empty ones stay empty and are not sent to the engine.
 * @param step returns as many sentences as it receives, in their order
 */
export async function pivotTranslate(
  sentences: readonly string[],
  path: readonly string[],
  step: (texts: readonly string[], from: string, to: string) => Promise<readonly string[]>,
): Promise<string[]> {
  let texts: readonly string[] = sentences.filter((sentence) => sentence !== '');
  for (const [index, to] of path.slice(1).entries())
    if (texts.length > 0) texts = await step(texts, path[index] ?? '', to);
  const left = texts.values();
  return sentences.map((sentence) => (sentence === '' ? '' : (left.next().value ?? '')));
}
