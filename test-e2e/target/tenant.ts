/** One tenant of many: what it has, what it may, and what every answer to it must be. */
import { randomBytes } from 'node:crypto';
import type { ContractStack } from './contract-stack.ts';
import type { LeakWatch } from './leak-watch.ts';
import { rawCall, type RawAnswer } from './raw-call.ts';
import { openTenantKeys } from './tenant-keys.ts';
import type { Step } from './tenant-steps.ts';
import { afterReply, expected, type Deed, type Possible } from './video-model.ts';

export type OwnedVideo = { readonly id: string; readonly tenant: number; states: readonly Possible[] };
/** What all tenants share: the videos of all, and what was found wrong. */
export type Common = {
  readonly contract: ContractStack;
  readonly watch: LeakWatch;
  readonly videos: OwnedVideo[];
  readonly leaks: string[];
  readonly surprises: string[];
  /** Answers by their reply. */
  readonly replies: Map<string, number>;
};

const verbs: Readonly<Record<Deed, readonly [method: string, rest: string]>> = {
  read: ['GET', ''],
  archive: ['POST', '/archive'],
  republish: ['POST', '/republish'],
  delete: ['DELETE', ''],
};

type Self = {
  readonly common: Common;
  readonly number: number;
  readonly mark: string;
  readonly keys: Awaited<ReturnType<typeof openTenantKeys>>;
  readonly own: OwnedVideo[];
  /** Accepted videos by day budget. */
  readonly charged: Map<string, number>;
};

type Asked = { readonly method: string; readonly path: string; readonly body?: unknown };
export type Tenant = Awaited<ReturnType<typeof openTenant>>;

/** Makes a publisher with keys. @param number tells it from the other tenants */
export async function openTenant(common: Common, number: number) {
  const { contract, watch } = common;
  const mark = `mark${randomBytes(12).toString('hex')}`;
  const publisherId = await contract.newPublisher(`Tenant ${mark}`);
  watch.claim(number, `${mark} ${publisherId}`);
  const keys = await openTenantKeys({ contract, watch, number, publisherId });
  const self: Self = { common, number, mark, keys, own: [], charged: new Map() };
  return {
    publisherId,
    mark,
    own: self.own,
    charged: self.charged,
    perform: async (step: Step): Promise<void> => {
      if (step.does === 'submit' || step.does === 'submitBad') await submit(self, step);
      else if (step.does === 'rotate') await keys.rotate(step.pick);
      else if (step.does === 'revoke') await keys.revoke(step.pick);
      else await operate(self, step, step.does);
    },
  };
}

async function submit(self: Self, step: Step): Promise<void> {
  const { common, number, keys } = self;
  const right = step.does === 'submitBad' ? '400 invalid_input' : '202 processing';
  const wanted = keys.refusal(step.key, 'videos:write') ?? right;
  const body = submission(self.mark, step);
  const answer = await ask(self, step, { method: 'POST', path: '/v1/videos', body }, [wanted]);
  if (answer.status !== 202) return;
  const { id } = JSON.parse(answer.text) as { id: string };
  common.watch.claim(number, id);
  const video: OwnedVideo = { id, tenant: number, states: ['processing'] };
  self.own.push(video);
  common.videos.push(video);
  add(self.charged, keys.budgetOf(step.key));
}

/** A request of which every field carries the tenant's mark. */
function submission(mark: string, { pick, does }: Step) {
  return {
    source_url: `https://example.com/${mark}.mp4`,
    thumbnail_url: `https://example.com/${mark}.jpg`,
    title: `Title ${mark} ${pick}`,
    summary: `Summary ${mark}`,
    tags: [`tag ${mark}`, 'common'],
    ...(does === 'submitBad' && { sport: `sport ${mark}` }),
  };
}

/** Asks, looks for what is not this tenant's, and holds the answer against what was expected. */
async function ask(self: Self, step: Step, { method, path, body }: Asked, wanted: readonly string[]) {
  const { common, number, keys } = self;
  const answer = await rawCall(`${common.contract.gateways[step.gateway]}${path}`, {
    method,
    authorization: `Bearer ${keys.secretOf(step.key, step.pick)}`,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const what = `tenant ${number} ${method} ${path} with ${step.key}: ${answer.reply}`;
  for (const word of common.watch.strangers(number, answer.whole)) common.leaks.push(`${what} contains ${word}`);
  if (!wanted.includes(answer.reply)) common.surprises.push(`${what}, expected ${wanted.join(' or ')}`);
  const overcharge = keys.overcharge(step.key, answer);
  if (overcharge !== undefined) common.surprises.push(`${what}, ${overcharge}`);
  add(common.replies, answer.reply);
  return answer;
}

function add(counts: Map<string, number>, name: string): void {
  return void counts.set(name, (counts.get(name) ?? 0) + 1);
}

async function operate(self: Self, step: Step, deed: Deed): Promise<void> {
  const { id, mine } = targetOf(self, step);
  const [method, rest] = verbs[deed];
  const path = `/v1/videos/${step.prefixed ? id : id.replace('vid_', '')}${rest}`;
  const refused = self.keys.refusal(step.key, deed === 'read' ? 'videos:read' : 'videos:write');
  const wanted = mine ? expected(mine.states, deed) : ['404 not_found'];
  const answer = await ask(self, step, { method, path }, refused === undefined ? wanted : [refused]);
  if (refused !== undefined || !mine) return;
  if (deed === 'read') learn(self, answer, id);
  mine.states = afterReply(mine.states, deed, answer.reply);
}

/** The video that a step is about, of whoever's. */
function targetOf({ common, number, own }: Self, { whose, pick }: Step): { id: string; mine?: OwnedVideo } {
  const foreign = (): OwnedVideo | undefined => {
    const video = at(common.videos, pick);
    return video?.tenant === number ? common.videos.find(({ tenant }) => tenant !== number) : video;
  };
  const mine = whose === 'own' ? at(own, pick) : undefined;
  if (mine) return { id: mine.id, mine };
  if (whose === 'malformed') return { id: `vid_${pick}` };
  return { id: (whose === 'foreign' ? foreign()?.id : undefined) ?? `vid_${invented(pick)}` };
}

function at<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(1, list.length)];
}

/** An id of the right form that nobody was given. */
function invented(pick: number): string {
  return `01m${pick.toString(32).replace(/[ilou]/g, 'x')}`.padEnd(26, '7');
}

/** What a readable record says belongs to the tenant from then on. */
function learn({ common, number, mark }: Self, { status, text }: RawAnswer, id: string): void {
  if (status !== 200) return;
  const { playback, title } = JSON.parse(text) as { playback?: { playback_id: string } | null; title: string };
  if (playback) common.watch.claim(number, playback.playback_id);
  if (!title.includes(mark)) common.surprises.push(`${id} has lost the mark of its tenant`);
}
