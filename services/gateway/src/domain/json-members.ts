/** What JSON.parse does not tell: whether an object names a member twice (RFC 8259 §4 leaves the meaning open). */

/**
 * The first member name that an object of a JSON text has twice.
 * @param json a text that JSON.parse accepts
 */
export const duplicateMember = (json: string): string | undefined => {
  const open: (Set<string> | undefined)[] = [];
  let nameNext = false;
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ':' && token !== ',' && nameNext) {
      const name = JSON.parse(token) as string;
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    }
    nameNext = (token === '{' || token === ',') && open.at(-1) !== undefined;
  }
  return undefined;
};
