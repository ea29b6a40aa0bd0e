/** The operator's staff in the database: people with a token of their own. The text of a token exists only in what `addStaff` returns. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Executor } from '@vds/chassis/database/database';
import { AppError, notFound } from '@vds/chassis/errors';
import type { StaffMember as StaffRow } from '#prisma';
import {
  formatApiKey,
  KEY_ID_CHARACTERS,
  makeApiKey,
  parseApiKey,
  RANDOM_SECRET_CHARACTERS,
} from '../domain/api-key.ts';
import { checkStaffName } from '../domain/staff-token.ts';
import type { Change } from './audit.ts';
import type { PrismaClient } from './prisma.ts';
import { randomBase62 } from './random-base62.ts';

export type StaffMember = Omit<StaffRow, 'id' | 'secretHash'>;
/** `token` cannot be read again. */
export type AddedStaff = { readonly member: StaffMember; readonly token: string };

const columns = 'name, created_at AS "createdAt", revoked_at AS "revokedAt"';

/** Gives a person a token. INVALID_ARGUMENT for the name; ALREADY_EXISTS while it has one in force. */
export function addStaff(given: string): Change<AddedStaff> {
  return async (client) => {
    const name = checkStaffName(given);
    const key = makeApiKey(randomBase62(KEY_ID_CHARACTERS), randomBase62(RANDOM_SECRET_CHARACTERS), 'staff');
    const { rows } = await client.query<StaffMember>(
      `INSERT INTO staff (id, name, secret_hash) VALUES ($1, $2, $3)
       ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING ${columns}`,
      [key.id, name, hashOf(key)],
    );
    const [member] = rows;
    if (!member) throw new AppError('ALREADY_EXISTS', `${name} has a token in force: revoke it first`);
    const value = { member, token: formatApiKey(key, 'staff') };
    return { value, entry: { action: 'staff add', was: '', became: name } };
  };
}

/** Ends a person's token; a JWT made with it remains valid for at most ten minutes. NOT_FOUND without one in force. */
export function revokeStaff(name: string): Change<StaffMember> {
  return async (client) => {
    const text = `UPDATE staff SET revoked_at = clock_timestamp() WHERE name = $1 AND revoked_at IS NULL RETURNING ${columns}`;
    const { rows } = await client.query<StaffMember>(text, [name]);
    const [value] = rows;
    if (!value) throw notFound(`a token in force of ${name}`);
    return { value, entry: { action: 'staff revoke', was: name, became: 'revoked' } };
  };
}

/** Everyone, oldest first. */
export function listStaff(prisma: PrismaClient): Promise<StaffMember[]> {
  return prisma.staffMember.findMany({
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { name: true, createdAt: true, revokedAt: true },
  });
}

/** The name of the person whose personal token this is; undefined for an unknown or revoked one. */
export async function staffOfToken(db: Executor, token: string): Promise<string | undefined> {
  const key = parseApiKey(token, 'staff');
  if (!key) return undefined;
  const text = 'SELECT name, secret_hash AS hash FROM staff WHERE id = $1 AND revoked_at IS NULL';
  const { rows } = await db.query<{ name: string; hash: Buffer }>(text, [key.id]);
  const [row] = rows;
  return row && timingSafeEqual(row.hash, hashOf(key)) ? row.name : undefined;
}

function hashOf({ id, secret }: { readonly id: string; readonly secret: string }): Buffer {
  return createHash('sha256').update(id).update(secret).digest();
}
