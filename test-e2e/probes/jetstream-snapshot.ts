/** A copy of the store of JetStream, which is restored later: all of it, or only one half. */
import { cp, glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats, stopNats } from '@vds/testkit/servers/nats';
import { openSettings } from '@vds/testkit/servers/settings';

/**
 * - `whole`: everything
 * - `messages`: the streams, below durables that have acknowledged later messages
 * - `durables`: the durables, which have forgotten what they acknowledged since
 */
export type StorePart = 'whole' | 'messages' | 'durables';
type StoreSnapshot = {
  readonly restore: (part: StorePart) => Promise<void>;
  readonly close: () => Promise<void>;
};

const folders = { messages: 'msgs', durables: 'obs' };

/** @param dir the folder of a NATS server that nothing else uses; it is stopped for a moment */
export async function snapshotJetStream(dir: string): Promise<StoreSnapshot> {
  const copy = await mkdtemp(join(tmpdir(), 'vds-jetstream-'));
  const store = join(dir, 'nats', 'store');
  const settings = await openSettings(dir, false);
  await stopNats(dir);
  await cp(store, copy, { recursive: true });
  await startNats(dir, settings);
  return {
    restore: async (part) => {
      await stopNats(dir, 'SIGKILL');
      const paths =
        part === 'whole' ? [''] : await Array.fromAsync(glob(`jetstream/*/streams/*/${folders[part]}`, { cwd: copy }));
      for (const path of paths) {
        await rm(join(store, path), { recursive: true, force: true });
        await cp(join(copy, path), join(store, path), { recursive: true });
      }
      await startNats(dir, settings);
    },
    close: () => rm(copy, { recursive: true, force: true }),
  };
}
