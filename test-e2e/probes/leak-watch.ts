/** Whose word is it? Every id, key and mark belongs to one tenant; no answer to another may contain it. */

export type LeakWatch = ReturnType<typeof openLeakWatch>;

export function openLeakWatch() {
  const owners = new Map<string, number>();
  return {
    /** Says that every long word of `text` belongs to a tenant. @throws where one belongs to another already */
    claim: (tenant: number, text: string): void => {
      for (const word of wordsOf(text)) {
        const owner = owners.get(word) ?? tenant;
        if (owner !== tenant) throw new Error(`${word} belongs to tenant ${owner}, not to ${tenant}`);
        owners.set(word, tenant);
      }
    },
    /** Words of other tenants in what one was answered. */
    strangers: (tenant: number, text: string): readonly string[] =>
      wordsOf(text).filter((word) => (owners.get(word) ?? tenant) !== tenant),
    size: (): number => owners.size,
  };
}

/** Every word long enough to be an id or a mark. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[0-9A-Za-z]{16,}/g) ?? [];
}
