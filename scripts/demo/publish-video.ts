/** A partner with a key submits a video and waits until its processing ends. */
import type { Operator } from '@vds/testkit/stack/operator';
import { print, secondsSince, step } from '@vds/testkit/servers/progress';
import { followVideo } from './follow-video.ts';
import { partnerAt, type Partner, type StatusRecord } from '@vds/testkit/stack/partner';
import type { DemoSource } from './source.ts';

export type Published = { readonly record: StatusRecord; readonly key: string; readonly partner: Partner };

export type PublishOptions = {
  readonly gateway: string;
  readonly operator: Operator;
  readonly source: DemoSource;
  readonly signal: AbortSignal;
};

export const SPORT = 'soccer';

/** Submits the video like a partner and prints every change until its processing has ended, successfully or not. */
export async function publishVideo({ gateway, operator, source, signal }: PublishOptions): Promise<Published> {
  const { key, partner } = await openPartner(operator, gateway);
  const title = source.title.slice(0, 200);
  const from = performance.now();
  const { id, message } = await step(`POST /v1/videos ${source.url}`, () =>
    partner.submit({ source_url: source.url, title, sport: SPORT, category: 'sports', tags: ['demo'] }),
  );
  print(`  ${id}: ${message}`);
  const ended = await followVideo({
    stages: () => operator.stages(id),
    status: async () => (await partner.read(id)).status,
    print,
    signal,
  });
  print(`✓ POST → ${ended} (${secondsSince(from)})`);
  return { record: await partner.read(id), key, partner };
}

/** A partner account of the demo with a new key. */
export async function openPartner(operator: Operator, gateway: string): Promise<{ key: string; partner: Partner }> {
  const publisher = await step('publisher account', () => operator.publisher('Demo League', 'Demo'));
  const key = await step('API key', () => operator.key(publisher));
  return { key, partner: partnerAt(gateway, key) };
}
