/**
 * The differences between the objects of two renders, for reviewers: each difference once, under its parent keys and
 * the objects that share it. Line numbers would be less useful, and change with every line above.
 */

/** One object of a render, as helm printed it. */
export type Printed = {
  readonly kind: string;
  readonly name: string;
  /** The component that it belongs to: a difference that only repeats this name is the same in every component. */
  readonly component: string;
  readonly lines: readonly string[];
};
type Hunk = { readonly at: string; readonly lines: readonly string[] };

/** Lines of the difference from `before` to `after`; none if every object is equal. */
export function objectDiff(before: readonly Printed[], after: readonly Printed[]): string[] {
  const [old, now] = [byTitle(before), byTitle(after)];
  const added = [...now].filter(([title]) => !old.has(title)).map(([, object]) => object);
  const removed = [...old].filter(([title]) => !now.has(title)).map(([, object]) => object);
  const shared = new Map<string, Printed[]>();
  for (const [title, object] of now) {
    const same = old.get(title);
    for (const { at, lines } of same ? hunksOf(comparable(same), comparable(object)) : []) {
      const text = [`@@ ${at} @@`, ...lines].join('\n');
      shared.set(text, [...(shared.get(text) ?? []), object]);
    }
  }
  return [
    ...(removed.length > 0 ? [`@@ removed @@ ${titlesOf(removed)}`] : []),
    ...[...shared].flatMap(([text, objects]) => text.replace(' @@', ` @@ ${titlesOf(objects)}`).split('\n')),
    ...added.flatMap((object) => [`@@ added @@ ${titlesOf([object])}`, ...object.lines.map((line) => `+${line}`)]),
  ];
}

function byTitle(objects: readonly Printed[]): Map<string, Printed> {
  return new Map(objects.map((object) => [`${object.kind} ${stableName(object)}`, object]));
}

/** A migration's Job may end its name with a hash of its content. */
function stableName({ name }: Printed): string {
  return name.replace(/(?<=-migrate)-[0-9a-f]{8}$/, '');
}

/**
 * Lines without the component's own name and without content hashes, which follow from lines that the difference shows.
 */
function comparable({ component, lines }: Printed): string[] {
  const own = new RegExp(`(?<![A-Za-z0-9])${RegExp.escape(component)}(?![A-Za-z0-9:.])`, 'g');
  return lines.map((line) =>
    line
      .replaceAll(/(?<=-migrate-)[0-9a-f]{8}\b/g, '<hash>')
      .replaceAll(/(?<=checksum\/\S+: )[0-9a-f]{64}\b/g, '<hash>')
      .replaceAll(own, '<component>'),
  );
}

/** `Deployment vds-auth, vds-catalog; Service vds-auth`. */
function titlesOf(objects: readonly Printed[]): string {
  return Object.entries(Object.groupBy(objects, ({ kind }) => kind))
    .map(([kind, same = []]) => `${kind} ${same.map((object) => stableName(object)).join(', ')}`)
    .join('; ');
}

/** Runs of lines that differ. */
function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...commonLines(before, after), [before.length, after.length] as const]) {
    if (nextI > i || nextJ > j) {
      const removed = before.slice(i, nextI).map((line) => `-${line}`);
      const added = after.slice(j, nextJ).map((line) => `+${line}`);
      hunks.push({ at: nextI > i ? pathOf(before, i) : pathOf(after, j), lines: [...removed, ...added] });
    }
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return hunks;
}

/** The positions of the longest common subsequence of both, as pairs of indexes. */
function commonLines(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
  const width = after.length + 1;
  // lengths[i * width + j]: length of the longest common subsequence of before[i…] and after[j…].
  const lengths = new Uint16Array((before.length + 1) * width);
  const length = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        before[i] === after[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) pairs.push([i++, j++]);
    else if (length(i + 1, j) >= length(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** The parent keys of a YAML line, such as `spec.containers[name: app].resources`. */
function pathOf(lines: readonly string[], index: number): string {
  const path: string[] = [];
  let depth = depthOf(lines[index] ?? '');
  for (const line of lines.slice(0, index).toReversed()) {
    const [, item, key] = /^ *(?:- (.*?):?|([\w./-]+):.*)$/.exec(line) ?? [];
    if ((item ?? key) === undefined || depthOf(line) >= depth) continue;
    depth = depthOf(line);
    path.unshift(item === undefined ? `.${key}` : `[${item}]`);
  }
  return path.join('').replace(/^\./, '') || '(top)';
}

/** Indentation; an item of a list belongs to the key that its dash may align with. */
function depthOf(line: string): number {
  const spaces = line.length - line.trimStart().length;
  return line.trimStart().startsWith('- ') ? spaces + 0.5 : spaces;
}
