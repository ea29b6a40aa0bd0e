/** One tenant of many: what it has, what it may, and what every answer to it must be. */
import { randomBytes } from 'node:crypto';
import type { ContractHouse, IssuedKey } from './contract-house.ts';
import type { LeakWatch } from './leak-watch.ts';
import { openMinuteLog } from './minute-log.ts';
import { rawCall, type RawAnswer } from './raw-call.ts';
import type { KeyKind, Step } from './tenant-steps.ts';
import { afterReply, expected, type Deed, type Possible } from './video-model.ts';

const LIMIT = 10_000;
const scopesOf = {
  both: ['videos:read', 'videos:write'],
  reader: ['videos:read'],
  writer: ['videos:write'],
} as const;
type Live = keyof typeof scopesOf;
const live: readonly Live[] = ['both', 'reader', 'writer'];
type Holding = IssuedKey & { readonly minute: ReturnType<typeof openMinuteLog> };

export type OwnedVideo = { readonly id: string; readonly tenant: number; states: readonly Possible[] };
/** What all tenants share: the videos of all, and what was found wrong. */
export type Common = {
  readonly contract: ContractHouse;
  readonly watch: LeakWatch;
  readonly videos: OwnedVideo[];
  readonly leaks: string[];
  readonly surprises: string[];
  /** Answers by their reply. */
  readonly replies: Map<string, number>;
};

const at = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];
const base32 = (pick: number): string => `01m${pick.toString(32).replace(/[ilou]/g, 'x')}`.padEnd(26, '7');
const verbs: Readonly<Record<Deed, readonly [method: string, rest: string]>> = {
  read: ['GET', ''],
  archive: ['POST', '/archive'],
  republish: ['POST', '/republish'],
  delete: ['DELETE', ''],
};

export const openTenant = async (common: Common, number: number) => {
  const { contract, watch } = common;
  const mark = `mark${randomBytes(12).toString('hex')}`;
  watch.claim(number, mark);
  const publisherId = await contract.newPublisher(`Tenant ${mark}`);
  watch.claim(number, publisherId);
  const hold = (issued: IssuedKey): Holding => {
    watch.claim(number, issued.secretKey);
    return { ...issued, minute: openMinuteLog() };
  };
  const issue = async (kind: Live) =>
    hold(await contract.newKey(publisherId, { scopes: scopesOf[kind], minuteLimit: LIMIT }));
  const held = { both: await issue('both'), reader: await issue('reader'), writer: await issue('writer') };
  const dead: string[] = [];
  const own: OwnedVideo[] = [];
  const charged = new Map<string, number>();

  const secretOf = (kind: KeyKind, pick: number): string =>
    kind === 'dead' || kind === 'strange'
      ? (kind === 'dead' && at(dead, pick)) || `svc_live_${'k'.repeat(24)}_${'s'.repeat(32)}`
      : held[kind].secretKey;
  /** Before anything else is looked at. */
  const refusal = (kind: KeyKind, scope: string): string | undefined => {
    if (kind === 'dead' || kind === 'strange') return '401 invalid_credentials';
    return (scopesOf[kind] as readonly string[]).includes(scope) ? undefined : '403 insufficient_scope';
  };

  /** Asks, looks for what is not this tenant's, and holds the answer against what was expected. */
  const ask = async (step: Step, method: string, path: string, wanted: readonly string[], body?: unknown) => {
    const answer = await rawCall(`${contract.gateways[step.gateway]}${path}`, {
      method,
      authorization: `Bearer ${secretOf(step.key, step.pick)}`,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const what = `tenant ${number} ${method} ${path} with ${step.key}: ${answer.reply}`;
    for (const word of watch.strangers(number, answer.whole)) common.leaks.push(`${what} contains ${word}`);
    if (!wanted.includes(answer.reply)) common.surprises.push(`${what}, expected ${wanted.join(' or ')}`);
    common.replies.set(answer.reply, (common.replies.get(answer.reply) ?? 0) + 1);
    if (step.key !== 'dead' && step.key !== 'strange') {
      const used = LIMIT - Number(answer.headers.get('x-ratelimit-remaining') ?? Number.NaN);
      if (!held[step.key].minute.agrees(answer, used)) common.surprises.push(`${what}, ${used} of the minute are used`);
    }
    return answer;
  };

  const submit = async (step: Step): Promise<void> => {
    const refused = refusal(step.key, 'videos:write');
    const bad = step.does === 'submitBad';
    const body = {
      source_url: `https://example.com/${mark}.mp4`,
      thumbnail_url: `https://example.com/${mark}.jpg`,
      title: `Title ${mark} ${step.pick}`,
      summary: `Summary ${mark}`,
      tags: [`tag ${mark}`, 'common'],
      ...(bad && { sport: `sport ${mark}` }),
    };
    const wanted = refused ?? (bad ? '400 invalid_input' : '202 processing');
    const answer = await ask(step, 'POST', '/v1/videos', [wanted], body);
    if (answer.status !== 202) return;
    const { id } = JSON.parse(answer.text) as { id: string };
    watch.claim(number, id);
    const video: OwnedVideo = { id, tenant: number, states: ['processing'] };
    own.push(video);
    common.videos.push(video);
    const budget = held[step.key as Live].key.budgetId;
    charged.set(budget, (charged.get(budget) ?? 0) + 1);
  };

  const targetOf = ({ whose, pick }: Step): { readonly id: string; readonly video?: OwnedVideo } => {
    const foreign = common.videos.filter(({ tenant }) => tenant !== number);
    const video = whose === 'own' ? at(own, pick) : whose === 'foreign' ? at(foreign, pick) : undefined;
    if (video !== undefined) return { id: video.id, video };
    return { id: whose === 'malformed' ? `vid_${pick}` : `vid_${base32(pick)}` };
  };

  /** What a readable record says belongs to the tenant from then on. */
  const learn = ({ status, text }: RawAnswer, id: string): void => {
    if (status !== 200) return;
    const { playback, title } = JSON.parse(text) as { playback?: { playback_id: string } | null; title: string };
    if (playback) watch.claim(number, playback.playback_id);
    if (!title.includes(mark)) common.surprises.push(`${id} has lost the mark of its tenant`);
  };

  const operate = async (step: Step, deed: Deed): Promise<void> => {
    const { id, video } = targetOf(step);
    const [method, rest] = verbs[deed];
    const path = `/v1/videos/${step.prefixed ? id : id.replace('vid_', '')}${rest}`;
    const refused = refusal(step.key, deed === 'read' ? 'videos:read' : 'videos:write');
    const mine = video?.tenant === number ? video : undefined;
    const wanted = refused ? [refused] : mine ? expected(mine.states, deed) : ['404 not_found'];
    const answer = await ask(step, method, path, wanted);
    if (refused || !mine) return;
    if (deed === 'read') learn(answer, id);
    mine.states = afterReply(mine.states, deed, answer.reply);
  };

  const rotate = async ({ pick }: Step): Promise<void> => {
    const kind = at(live, pick) ?? 'both';
    const old = held[kind];
    const { key, secretKey } = await contract.keys.RotateKey({ keyId: old.key.id });
    if (!key) throw new Error('auth answered without the key');
    held[kind] = hold({ key, secretKey });
    dead.push(old.secretKey);
  };
  const revoke = async ({ pick }: Step): Promise<void> => {
    const kind = at(live, pick) ?? 'both';
    await contract.keys.RevokeKey({ keyId: held[kind].key.id });
    dead.push(held[kind].secretKey);
    held[kind] = await issue(kind);
  };

  return {
    publisherId,
    mark,
    own,
    /** Accepted videos by day budget. */
    charged,
    perform: async (step: Step): Promise<void> => {
      if (step.does === 'submit' || step.does === 'submitBad') await submit(step);
      else if (step.does === 'rotate') await rotate(step);
      else if (step.does === 'revoke') await revoke(step);
      else await operate(step, step.does);
    },
  };
};
export type Tenant = Awaited<ReturnType<typeof openTenant>>;
