/** Puts text into files at places that are found by what stands around them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fill } from './room-files.ts';

export type Edit = {
  readonly path: string;
  /** Stands once in the file, above the place; left out: the place is the first `before` of all. */
  readonly below?: string;
  /** The first of these below is what the text is put in front of; left out: the end of the file. */
  readonly before?: string;
  /** `{{name}}` and `{{Name}}` stand for the service. */
  readonly text: string;
  /** The place in words, for who has to find it by hand. */
  readonly place: string;
};

/** What could not be written, to be put in by hand. */
export type Undone = { readonly path: string; readonly place: string; readonly text: string };

/**
 * Makes the edits, each in its own place of a file.
 * @returns files that were changed, and what could not be written
 */
export function insertAll(root: string, edits: readonly Edit[], name: string): { changed: string[]; undone: Undone[] } {
  const changed = new Set<string>();
  const undone: Undone[] = [];
  for (const edit of edits) {
    const file = join(root, edit.path);
    const text = existsSync(file) ? inserted(readFileSync(file, 'utf8'), edit, name) : undefined;
    if (text === undefined) undone.push({ path: edit.path, place: edit.place, text: fill(edit.text, name) });
    else {
      writeFileSync(file, text);
      changed.add(edit.path);
    }
  }
  return { changed: [...changed], undone };
}

/** The text with `edit` in it; undefined where its place is not found. */
function inserted(text: string, edit: Edit, name: string): string | undefined {
  const at = placeOf(text, edit);
  if (at < 0) return undefined;
  const added = fill(edit.text, name);
  // What begins with a comma goes right behind the last entry of a list, whatever stands between it and the list's end.
  const head = added.startsWith(',') ? text.slice(0, at).replace(/,?\s*$/, '') : text.slice(0, at);
  return head + added + text.slice(added.startsWith(',') ? head.length : at);
}

/** Where the text goes; -1 where the place is not there, or not the only one. */
function placeOf(text: string, { below = '', before }: Edit): number {
  const from = text.indexOf(below);
  if (from < 0 || (below !== '' && from !== text.lastIndexOf(below))) return -1;
  return before === undefined ? text.length : text.indexOf(before, from + below.length);
}
