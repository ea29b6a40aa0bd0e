/** Player and discovery pages for a running stack. */
import type { Operator } from '@vds/testkit/stack/operator';
import type { Partner } from '@vds/testkit/stack/partner';
import { print } from '@vds/testkit/servers/progress';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { discoveryOf, type Discovery, type PlatformServices } from './discovery.ts';
import { performanceDataOf, type PerformanceData } from './performance-data.ts';
import { startPageServer, type PageServer } from './page-server.ts';
import { videoDetailsOf } from './video-details.ts';

export type Pages = PageServer & { readonly discovery: Discovery; readonly performance: PerformanceData };

export type PagesOptions = {
  readonly stack: PlatformServices & Pick<Stack, 'url'>;
  /** Mints the viewers' tokens. */
  readonly operator: Pick<Operator, 'token'>;
  /** The partner who reads the records. */
  readonly partner: Pick<Partner, 'read'>;
  /** `vid_…`; the player shows the first one unless its address names another: `/?video=vid_…`. */
  readonly videos: readonly string[];
};

/** Serves the pages on a free port of 127.0.0.1. */
export async function openPages({ stack, operator, partner, videos }: PagesOptions): Promise<Pages> {
  const discovery = discoveryOf(stack);
  const details = videoDetailsOf(stack);
  const performance = performanceDataOf(stack);
  const server = await startPageServer({
    record: async (id = videos[0]) => {
      if (id === undefined) throw new Error('No video is chosen: open one from the discovery page.');
      return await partner.read(id.replace(/^(vid_)?/, 'vid_'));
    },
    token: operator.token,
    playbackUrl: stack.url('playback'),
    discovery,
    details,
    performance,
    onError: print,
  });
  const close = async (): Promise<void> => {
    await Promise.all([server.close(), discovery.close(), details.close(), performance.close()]);
  };
  return { ...server, discovery, performance, close };
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
