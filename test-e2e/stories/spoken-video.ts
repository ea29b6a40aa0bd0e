/** One video with speech, its captions and texts on screen, shared by several stories. */
import { expect } from 'chai';
import { makeClip } from '@vds/testkit/media/make-clip';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theTarget } from '../harness/shared-target.ts';

export type SpokenVideo = { readonly partner: Partner; readonly record: VideoRecord };

let published: Promise<SpokenVideo> | undefined;

/** The video, live and with every track final; made on first use. */
export function spokenVideo(): Promise<SpokenVideo> {
  return (published ??= publish());
}

async function publish(): Promise<SpokenVideo> {
  const target = await theTarget();
  const partner = await target.newPartner('Spoken');
  const description = { title: 'Harvest day', sport: 'fencing', tags: ['autumn'], language_code: 'en' };
  const { id, status, failure } = await partner.settled(
    await partner.submit(await target.serve(await makeClip()), description),
  );
  expect(status, JSON.stringify(failure)).to.equal('ready');
  // Under load a track may be late; it attaches by itself.
  return { partner, record: await partner.tracksSettled(id) };
}
