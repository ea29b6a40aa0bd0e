/** What the tests of a run share: opened by the first that needs it, closed after the last test. */

/** To be called when a module is loaded, not within a test. */
export function shared<T>(open: () => Promise<T>, close: (opened: T) => Promise<unknown>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  after(async function () {
    this.timeout(120_000);
    const left = await opened?.catch(() => undefined); // its first user has reported the error
    if (left !== undefined) await close(left);
  });
  return () => (opened ??= open());
}
