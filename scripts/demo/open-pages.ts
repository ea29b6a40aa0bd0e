/** Player and discovery pages for a running stack. */
import type { Operator } from '@vds/testkit/stack/operator';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { discoveryOf, type Discovery } from './discovery.ts';
import { startPageServer, type PageServer } from './page-server.ts';
import type { Partner } from '@vds/testkit/stack/partner';

export type Pages = PageServer & { readonly discovery: Discovery };

export type PagesOptions = {
  readonly stack: Stack;
  readonly operator: Operator;
  /** The partner who reads the records. */
  readonly partner: Partner;
  /** The video that the player shows if none is named. */
  readonly videoId?: string;
};

/** Serves the pages on a free port of 127.0.0.1. */
export async function openPages({ stack, operator, partner, videoId }: PagesOptions): Promise<Pages> {
  const discovery = discoveryOf(stack);
  const server = await startPageServer({
    record: async (id = videoId) => {
      if (id === undefined) throw new Error('Choose a video on the discovery page.');
      return await partner.read(id);
    },
    token: operator.token,
    playbackUrl: stack.url('playback'),
    discovery,
  });
  const close = async (): Promise<void> => {
    await Promise.all([server.close(), discovery.close()]);
  };
  return { ...server, discovery, close };
}

/** Addresses for people, one per line. */
export function addressesOf(pages: Pages, gateway: string, key: string): string {
  return [
    `player   ${pages.url}`,
    `discover ${pages.url}discover.html`,
    `gateway  ${gateway}  (BASE)`,
    `key      ${key}  (KEY)`,
  ].join('\n');
}
