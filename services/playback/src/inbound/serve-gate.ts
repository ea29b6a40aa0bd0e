/** `GET /gate/<playback_id>`: an edge asks whether the token in its `authorization` header opens a video, and for how long. */
import type { Request, Response } from 'express';
import { AppError } from '@vds/chassis/errors';
import { isOpenTo } from '../domain/gate.ts';
import { gateLeftMs, mediaOf, validityOf } from '../domain/edge-answer.ts';
import type { Gates } from '../outbound/gates.ts';
import type { Tokens } from '../outbound/tokens.ts';
import { prefixOf } from './open-gate.ts';
import { notFound } from './responses.ts';

type Deps = { readonly gates: Pick<Gates, 'find'>; readonly tokens: Tokens };

/** So long an edge repeats a refusal: a key or a video may be new. */
const REFUSAL_AGE = 'max-age=2';

/**
 * Answers 204 with what the token opens and the version of what changes, 401 for a bad token, 403 for everything else that
 * keeps a viewer out (an edge's `auth_request` knows no third answer).
 * @throws UNAVAILABLE when neither keys nor gate are known
 */
export async function serveGate(deps: Deps, request: Request, response: Response, playbackId: string): Promise<void> {
  try {
    const [, token = ''] = /^Bearer ([0-9A-Za-z._-]{1,4096})$/.exec(request.get('authorization') ?? '') ?? [];
    const claims = await deps.tokens.check(token, playbackId);
    const { value: gate, ageMs } = await deps.gates.find(playbackId, true);
    const prefix = gate && isOpenTo(claims.preview, gate, ageMs) ? prefixOf(gate) : undefined;
    if (!gate || prefix === undefined) throw notFound();
    const closesInMs = claims.preview === 'staff' ? undefined : gateLeftMs(gate, ageMs);
    const { fresh, stale } = validityOf(deps.tokens.leftMs(claims), closesInMs, ageMs);
    response.status(204).set({
      'cache-control': `max-age=${fresh}, stale-if-error=${stale}`,
      'x-vds-media': mediaOf(prefix, claims.excerpt),
      'x-vds-version': String(gate.version),
    });
  } catch (error) {
    const refused = error instanceof AppError && refusals.get(error.code);
    if (!refused) throw error;
    response.status(refused).set('cache-control', REFUSAL_AGE);
  }
  response.end();
}

const refusals: ReadonlyMap<string, number> = new Map([
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 403],
]);
