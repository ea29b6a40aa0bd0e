/** A partner with a key submits a video and waits until its processing ends. */
import type { Operator } from '@vds/testkit/stack/operator';
import { PartnerError, partnerAt, type Accepted, type Partner, type StatusRecord } from '@vds/testkit/stack/partner';
import { failureOf } from './describe-record.ts';
import { followVideo } from './follow-video.ts';
import type { Screen } from './screen.ts';
import type { DemoVideo } from './source.ts';

export type Submitted = { readonly id: string; readonly video: DemoVideo };
export type Published = Submitted & { readonly record: StatusRecord };

/** Three videos are followed and shown at once. */
const LIMITS = { minuteLimit: 600, dailyLimit: 100_000 };

/** A partner account of the demo with a new key. */
export async function openPartner(operator: Operator, gateway: string): Promise<{ key: string; partner: Partner }> {
  const publisher = await operator.publisher('Demo League', 'Demo');
  const key = await operator.key(publisher, LIMITS);
  return { key, partner: partnerAt(gateway, key) };
}

/** A POST; throws the service's own sentence, with the request's id, if the video is not accepted. */
export async function submitVideo({ submission }: DemoVideo, partner: Partner): Promise<Accepted> {
  try {
    return await partner.submit(submission);
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    const { status, told, requestId = 'unknown' } = error;
    throw new Error(`“${submission.title}” was not accepted: ${told} (${status}, request ${requestId})`, {
      cause: error,
    });
  }
}

export type FollowDeps = {
  readonly partner: Partner;
  readonly operator: Operator;
  readonly screen: Screen;
  readonly signal: AbortSignal;
};

/**
 * Waits until the video is ready.
 * @throws one sentence, with code and remedy, if it ends in any other way
 */
export async function untilReady(
  { id, video }: Submitted,
  { partner, operator, screen, signal }: FollowDeps,
): Promise<Published> {
  const follow = async (note: (text: string) => void): Promise<Published> => {
    await followVideo({
      stages: () => operator.stages(id),
      status: async () => (await partner.read(id)).status,
      onChange: note,
      signal,
    });
    const record = await partner.read(id);
    if (record.status !== 'ready') throw new Error(failureOf(record));
    return { id, video, record };
  };
  return await screen.task(video.label, follow, () => `ready: “${video.submission.title}”`);
}
