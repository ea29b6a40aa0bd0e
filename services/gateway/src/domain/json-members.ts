/** Finds duplicate member names, which JSON.parse accepts silently (RFC 8259 §4 leaves their meaning open). */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The first member name that an object in a JSON text has twice. One pass over the characters without tokens: a body
 * may consist of brackets only.
 * @param json a text that JSON.parse accepts
 */
export function duplicateMember(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined;
  let nameNext = false;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(json, at);
      if (nameNext && names) {
        const name = JSON.parse(json.slice(at, end + 1)) as string;
        if (names.has(name)) return name;
        names.add(name);
      }
      nameNext = false;
      at = end;
    } else if (unit === COMMA) nameNext = names !== undefined;
    else if (unit === OBJECT || unit === LIST) {
      names = unit === OBJECT ? new Set() : undefined;
      nameNext = unit === OBJECT;
      open.push(names);
    } else if (unit === OBJECT_END || unit === LIST_END) {
      open.pop();
      names = open.at(-1);
      nameNext = false;
    }
  }
  return undefined;
}

/** Index of the closing quote of the string that starts at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  for (let unit = json.charCodeAt(at); unit !== QUOTE; unit = json.charCodeAt(at)) at += unit === BACKSLASH ? 2 : 1;
  return at;
}
