/** Runs work on the items of a list, a few at a time, in order. */

/** @returns a promise for each item, at once; none of them causes an unhandled rejection */
export function mapConcurrently<Item, Result>(
  concurrency: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result>[] {
  const done: Promise<Result>[] = [];
  items.forEach((item, index) => {
    const before = done.slice(0, Math.max(0, index - concurrency + 1));
    done.push(Promise.allSettled(index < concurrency ? [] : before).then(() => work(item, index)));
  });
  // The failure is reported where the item is awaited.
  for (const one of done) one.catch(() => undefined);
  return done;
}
