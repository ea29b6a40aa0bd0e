/** The videos of the browser's tests, published once for all of them, and the pages that show them. */
import { expect } from 'chai';
import { openPages, type Pages } from '@vds/scripts/demo/open-pages';
import { makeClipWithTracks } from '@vds/testkit/media/make-clip';
import { smallSample } from '@vds/testkit/media/make-samples';
import { partnerAt } from '@vds/testkit/stack/partner';
import { until } from '@vds/testkit/until';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import type { Target } from '../harness/host/host.ts';
import { theTarget } from '../harness/shared-target.ts';

export type PublishedVideos = {
  readonly target: Target;
  readonly partner: Partner;
  /** The demo's clip, in the feed of soccer, with a second commentator, captions in German, and 18 of its 19 tracks ready. */
  readonly spoken: VideoRecord;
  /** A sample with a tone but without a word. */
  readonly silent: VideoRecord;
  /** Its address had no file. */
  readonly failed: VideoRecord;
};

let published: Promise<PublishedVideos> | undefined;

/** The videos; published by the first caller. */
export function publishedVideos(): Promise<PublishedVideos> {
  return (published ??= publish());
}

async function publish(): Promise<PublishedVideos> {
  const target = await theTarget();
  const partner = await target.newPartner('Browser');
  const submit = async (address: string, title: string): Promise<VideoRecord> =>
    partner.settled(await partner.submit(address, { title, sport: 'soccer', category: 'sports' }));
  const served = async (path: string, title: string): Promise<VideoRecord> => submit(await target.serve(path), title);
  const [spoken, silent, failed] = await Promise.all([
    makeClipWithTracks().then((path) => served(path, 'A video in a browser')),
    smallSample().then((path) =>
      served(path, `A film without a word, and ${'a title of many words '.repeat(7).trim()}`),
    ),
    submit(target.origin.url('/absent.mp4'), 'A video that failed'),
  ]);
  expect([spoken.status, silent.status, failed.status]).to.deep.equal(['ready', 'ready', 'failed']);
  await partner.tracksReady(spoken.id, 18);
  return { target, partner, spoken, silent, failed };
}

/** Player and discovery of the target; `token` replaces the apps' tokens. */
export function pagesOf(
  { target, partner, spoken }: PublishedVideos,
  token: (playbackId: string, seconds: number) => Promise<string> = (playbackId, seconds) =>
    target.mint(playbackId, seconds * 1_000),
): Promise<Pages> {
  const { base, key } = partner;
  return openPages({ stack: target.site, operator: { token }, partner: partnerAt(base, key), videos: [spoken.id] });
}

/** Waits until search finds what is said in the spoken video, and the silent one is like it. */
export async function discoverable({ discovery }: Pages, { spoken, silent }: PublishedVideos): Promise<void> {
  const [spokenId, silentId] = [spoken.id, silent.id].map((id) => id.replace(/^vid_/, ''));
  const found = async (): Promise<boolean> => {
    const [{ hits }, { items }] = await Promise.all([
      discovery.search({ query: 'goalkeeper' }),
      discovery.similar(spokenId ?? ''),
    ]);
    const hit = hits.find(({ item }) => item?.videoId === spokenId);
    return (
      hit?.snippets.some(({ atMs }) => atMs !== undefined) === true && items.some((item) => item.videoId === silentId)
    );
  };
  await until(found, { what: 'search and recommendation find the videos', capMs: 60_000, everyMs: 250 });
}
