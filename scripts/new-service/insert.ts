/** Inserts text into files at places found by the surrounding text. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fill } from './service-files.ts';

export type Edit = {
  readonly path: string;
  /** Occurs once in the file, above the place; absent: the place is the first `before` in the file. */
  readonly below?: string;
  /** The text is inserted before the first of these below; absent: at the end of the file. */
  readonly before?: string;
  /** `{{name}}` and `{{Name}}` are replaced by the service's name. */
  readonly text: string;
  /** A description of the place, for inserting by hand. */
  readonly place: string;
};

/** The edits that failed, to be made by hand. */
export type Undone = { readonly path: string; readonly place: string; readonly text: string };

/**
 * Makes the edits, each in its own place of a file.
 * @returns the changed files, and the edits that failed
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

/** The text with `edit` applied; undefined if its place is not found. */
function inserted(text: string, edit: Edit, name: string): string | undefined {
  const at = placeOf(text, edit);
  if (at < 0) return undefined;
  const added = fill(edit.text, name);
  // Text that starts with a comma goes right after the last entry of a list, whatever precedes the list's end.
  const head = added.startsWith(',') ? text.slice(0, at).replace(/,?\s*$/, '') : text.slice(0, at);
  return head + added + text.slice(added.startsWith(',') ? head.length : at);
}

/** The position of the insertion; -1 if the place does not exist or is ambiguous. */
function placeOf(text: string, { below = '', before }: Edit): number {
  const from = text.indexOf(below);
  if (from < 0 || (below !== '' && from !== text.lastIndexOf(below))) return -1;
  return before === undefined ? text.length : text.indexOf(before, from + below.length);
}
