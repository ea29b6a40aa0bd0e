/**
 * Detects leaks between tenants: every id, key and marker belongs to one tenant; no response to another may contain it.
 */

export type LeakWatch = ReturnType<typeof openLeakWatch>;

export function openLeakWatch() {
  const owners = new Map<string, number>();
  return {
    /** Registers every long token of `text` as a tenant's. @throws if one already belongs to another */
    claim: (tenant: number, text: string): void => {
      for (const token of tokensOf(text)) {
        const owner = owners.get(token) ?? tenant;
        if (owner !== tenant) throw new Error(`${token} belongs to tenant ${owner}, not to ${tenant}`);
        owners.set(token, tenant);
      }
    },
    /** Other tenants' tokens in a response. */
    foreignTokens: (tenant: number, text: string): readonly string[] =>
      tokensOf(text).filter((token) => (owners.get(token) ?? tenant) !== tenant),
    size: (): number => owners.size,
  };
}

/** Every token long enough to be an id or a marker. */
function tokensOf(text: string): readonly string[] {
  return text.match(/[0-9A-Za-z]{16,}/g) ?? [];
}
