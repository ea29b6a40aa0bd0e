/**
 * Detects leaks between tenants: every id, key and marker belongs to one tenant; no response to another may contain it.
 */

export type LeakWatch = ReturnType<typeof openLeakWatch>;

export function openLeakWatch() {
  const owners = new Map<string, number>();
  return {
    /** Registers every long token of `text` as a tenant's. @throws if one already belongs to another */
    claim: (tenant: number, text: string): void => {
      for (const word of wordsOf(text)) {
        const owner = owners.get(word) ?? tenant;
        if (owner !== tenant) throw new Error(`${word} belongs to tenant ${owner}, not to ${tenant}`);
        owners.set(word, tenant);
      }
    },
    /** Other tenants' tokens in a response. */
    strangers: (tenant: number, text: string): readonly string[] =>
      wordsOf(text).filter((word) => (owners.get(word) ?? tenant) !== tenant),
    size: (): number => owners.size,
  };
}

/** Every token long enough to be an id or a marker. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[0-9A-Za-z]{16,}/g) ?? [];
}
