/** Composition root of auth. */
import { openDatabase } from '@vds/chassis/database/database';
import { startRetention } from '@vds/chassis/database/retention';
import { run } from '@vds/chassis/process/run';
import { warmUp } from '@vds/chassis/process/warm-up';
import { servePorts } from '@vds/chassis/rpc/rpc';
import { authConfig } from './config.ts';
import type { ApiKey } from './domain/api-key.ts';
import { authAdmin } from './inbound/admin-rpc.ts';
import { authMethods, authService } from './inbound/rpc.ts';
import { startScheduler } from './inbound/scheduler.ts';
import { countKeysByPepper, rehashKey } from './outbound/api-keys.ts';
import { candidateHashes } from './outbound/key-hash.ts';
import { openKeyIds } from './outbound/key-ids.ts';
import { openKeyRing } from './outbound/key-ring.ts';
import { decide, pruneWindows } from './outbound/minute-window.ts';
import { describePublisher, viewerHasher } from './outbound/organizations.ts';
import { openPrisma } from './outbound/prisma.ts';
import { retentionOf } from './outbound/retention.ts';
import { currentKeys, personVerifier } from './outbound/staff-verifier.ts';
import { openTokenMint } from './outbound/mint-token.ts';
import { resealRows } from './outbound/resealing.ts';
import { ensureSigningKey, pruneSigningKeys, rotateSigningKey } from './outbound/signing-keys.ts';

await run('auth', authConfig, async (scope) => {
  const { config, log, metrics, own } = scope;
  const { peppers, windowMs, jwksMaxAgeMs, retireAfterMs } = config;
  const pool = await openDatabase(scope, 'auth', import.meta.url);
  const prisma = own('prisma', openPrisma(pool));

  const store = { pool, prisma, peppers };
  const secrets = config.sealingSecrets;
  const signingKeys = { pool, secrets, jwksMaxAgeMs };
  await ensureSigningKey(signingKeys);
  await resealRows(pool, secrets); // ends the process while a row needs a secret that is not given
  const keyRing = await openKeyRing({ store: signingKeys, retireAfterMs, log });

  const tasks = {
    pruneWindows: () => pruneWindows(pool, windowMs),
    pruneSigningKeys: () => pruneSigningKeys(signingKeys, retireAfterMs),
    countKeysByPepper: () => countKeysByPepper(prisma),
    signsSince: keyRing.signsSince,
    resealRows: async () => (secrets.length > 1 ? resealRows(pool, secrets) : 0),
  };
  own('scheduler', startScheduler({ ...tasks, everyMs: config.cleanupEveryMs, log, metrics }));
  own('retention', startRetention(scope, pool, retentionOf(config)));

  const decideKey = (key: ApiKey, requestId?: string) =>
    decide(pool, key.id, candidateHashes(peppers, key), windowMs, requestId);
  const keyIds = await openKeyIds(pool);
  const mint = openTokenMint({ keyRing, issuer: 'vds-auth', audience: 'vds-playback' });
  const methods = authMethods({
    decide: (key, requestId) => keyIds.decide(key.id, () => decideKey(key, requestId)),
    rehash: (key, previousPepperId) => rehashKey(store, key, previousPepperId),
    describePublisher: (publisherId) => describePublisher(pool, secrets, publisherId),
    hashViewer: viewerHasher(secrets),
    keyRing,
    mint,
    appsPreview: config.appsPreview,
    currentPepperId: peppers[0].id,
    ...{ jwksMaxAgeMs, log, metrics },
  });
  const admin = authAdmin({
    store,
    secrets,
    rotateSigningKey: rotateSigningKey(signingKeys),
    onSigningKey: keyRing.invalidate,
    mintPreview: mint.preview,
    mintStaff: mint.staff,
    log,
  });
  const verify = personVerifier({ pool, loadKeys: () => currentKeys(keyRing, jwksMaxAgeMs), log });
  const admins = [admin, authService(methods, 'admin')];
  const ports = await servePorts(scope, [authService(methods, 'rpc')], admins, verify);
  await warmUp(scope, { authorize: () => decideKey({ id: 'warm-up', secret: 'warm-up' }), jwks: keyRing.jwks });
  log.info(ports, 'serving RPC');
});
