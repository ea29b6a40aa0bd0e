/** The keys of one tenant: what each may do, what was rotated or revoked, and how much of its minute each has used. */
import type { ContractStack, IssuedKey } from './contract-stack.ts';
import type { LeakWatch } from './leak-watch.ts';
import { orLost } from './lost-reply.ts';
import { openMinuteLog } from './minute-log.ts';
import type { RawAnswer } from './raw-call.ts';
import type { KeyKind } from './tenant-steps.ts';

const LIMIT = 10_000;
const scopesOf = {
  both: ['videos:read', 'videos:write'],
  reader: ['videos:read'],
  writer: ['videos:write'],
} as const;
type Live = keyof typeof scopesOf;
const live: readonly Live[] = ['both', 'reader', 'writer'];

const NOBODYS = `svc_live_${'k'.repeat(24)}_${'s'.repeat(32)}`;

type Where = {
  readonly contract: ContractStack;
  readonly watch: LeakWatch;
  readonly number: number;
  readonly publisherId: string;
};

export async function openTenantKeys({ contract, watch, number, publisherId }: Where) {
  const hold = (issued: IssuedKey) => {
    watch.claim(number, issued.secretKey);
    return { ...issued, minute: openMinuteLog() };
  };
  const issue = async (kind: Live) =>
    hold(await contract.newKey(publisherId, { scopes: scopesOf[kind], minuteLimit: LIMIT }));
  const held = { both: await issue('both'), reader: await issue('reader'), writer: await issue('writer') };
  const dead: string[] = [];
  const chosen = (pick: number): Live => live[pick % live.length] ?? 'both';
  return {
    secretOf: (kind: KeyKind, pick: number): string => {
      if (isLive(kind)) return held[kind].secretKey;
      return (kind === 'dead' ? dead[pick % Math.max(1, dead.length)] : undefined) ?? NOBODYS;
    },
    /** What a request with this key is refused with before anything else of it is looked at. */
    refusal: (kind: KeyKind, scope: string): string | undefined => {
      if (!isLive(kind)) return '401 invalid_credentials';
      return scopesOf[kind].some((one) => one === scope) ? undefined : '403 insufficient_scope';
    },
    /** What the day's count of this key is kept under. */
    budgetOf: (kind: KeyKind): string => (isLive(kind) ? held[kind].key.budgetId : ''),
    /** What an answer says of the key's minute, where that is not what the key's own requests have used. */
    overcharge: (kind: KeyKind, answer: RawAnswer): string | undefined => {
      const told = answer.headers.get('x-ratelimit-remaining');
      if (!isLive(kind)) return told === null ? undefined : `${told} left of a minute that nobody has`;
      const used = LIMIT - Number(told ?? Number.NaN);
      return held[kind].minute.agrees(answer, used) ? undefined : `${used} of the minute are used`;
    },
    rotate: async (pick: number): Promise<void> => {
      const old = held[chosen(pick)];
      const reply = await orLost(contract.keys.RotateKey({ keyId: old.key.id }));
      held[chosen(pick)] = reply?.key
        ? hold({ key: reply.key, secretKey: reply.secretKey })
        : await issue(chosen(pick));
      if (reply) dead.push(old.secretKey);
    },
    revoke: async (pick: number): Promise<void> => {
      const old = held[chosen(pick)];
      const reply = await orLost(contract.keys.RevokeKey({ keyId: old.key.id }));
      held[chosen(pick)] = await issue(chosen(pick));
      if (reply) dead.push(old.secretKey);
    },
  };
}

function isLive(kind: KeyKind): kind is Live {
  return kind !== 'dead' && kind !== 'strange';
}
