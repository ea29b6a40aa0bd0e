/** A test's replacement for catalog towards the owner of a bucket: what videos have in use, and which are live. */
import type { CatalogVideoInUse } from '@vds/proto/generated/vds/catalog/v1/CatalogVideoInUse.ts';
import { serveFakePeers } from './fake-peers.ts';
import { openTestGates } from './gates.ts';
import { tokenOf } from './rpc-callers.ts';

/** @param caller the service that asks */
export async function serveVideosInUse(caller: string) {
  const videos = new Map<string, Omit<CatalogVideoInUse, 'videoId' | 'versionSeq'>>();
  const gates = openTestGates();
  const server = await serveFakePeers(caller, {
    catalog: {
      ResolvePlayback: gates.ResolvePlayback,
      ListVideosInUse: async ({ afterVersionSeq, limit, videoIds }) => {
        const all = [...videos].map(([videoId, video], index) => ({ ...video, videoId, versionSeq: index + 1 }));
        const listed = all.filter(({ versionSeq }) => versionSeq > afterVersionSeq).slice(0, limit);
        const named = all.filter(({ videoId }) => videoIds.includes(videoId));
        return { videos: videoIds.length > 0 ? named : listed, settledVersionSeq: all.length };
      },
    },
  });
  return {
    /** By id, in the order of their versions; at first, of no video anything is in use. */
    videos,
    gates,
    /** Variables of the service's processes. */
    settings: { CATALOG_RPC: `127.0.0.1:${server.port}`, RPC_TOKEN: tokenOf(caller) },
    close: server.close,
  };
}
