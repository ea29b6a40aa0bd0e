/** Composition root of auth. */
import { openDatabase } from '@vds/chassis/database/database';
import { serveRpc } from '@vds/chassis/rpc/rpc';
import { run } from '@vds/chassis/process/run';
import { authConfig } from './config.ts';
import { authAdmin } from './inbound/admin-rpc.ts';
import { startScheduler } from './inbound/scheduler.ts';
import { authMethods, authService, authServiceForStaff } from './inbound/rpc.ts';
import { candidateHashes } from './outbound/key-hash.ts';
import { openKeyRing } from './outbound/key-ring.ts';
import { countKeysByPepper, rehashKey } from './outbound/keys.ts';
import { decide, pruneWindows } from './outbound/minute-window.ts';
import { openPrisma } from './outbound/prisma.ts';
import { ensureSigningKey, pruneSigningKeys, rotateSigningKey } from './outbound/signing-keys.ts';

await run('auth', authConfig, async (scope) => {
  const { config, log, metrics, own } = scope;
  const { peppers, windowMs, jwksMaxAgeMs, retireAfterMs, issuer, audience } = config;
  const pool = await openDatabase(scope, 'auth', import.meta.url);
  const prisma = own('prisma', openPrisma(pool));

  const keyStore = { prisma, peppers };
  const signingStore = { prisma, secret: config.signingKeySecret, jwksMaxAgeMs };
  await ensureSigningKey(signingStore);
  const onStale = (error: unknown): void => log.warn({ err: error }, 'signing keys could not be read again');
  const ring = await openKeyRing({ store: signingStore, retireAfterMs, onStale });

  const chores = {
    pruneWindows: () => pruneWindows(pool, windowMs),
    pruneSigningKeys: () => pruneSigningKeys(signingStore, retireAfterMs),
    countKeysByPepper: () => countKeysByPepper(keyStore),
    signsSince: ring.signsSince,
  };
  own('janitor', startScheduler(chores, config.janitorEveryMs, log, metrics));

  const methods = authMethods(
    {
      decide: (key) => decide(pool, key.id, candidateHashes(peppers, key), windowMs),
      rehash: (key, previousPepperId) => rehashKey(keyStore, key, previousPepperId),
      sign: ring.sign,
      jwks: ring.jwks,
    },
    { currentPepperId: peppers[0].id, issuer, audience, jwksMaxAgeMs },
    log,
    metrics,
  );
  const signing = { rotate: rotateSigningKey(signingStore), published: ring.forget };
  const served = { log, metrics, config };
  const rpc = own('rpc', await serveRpc({ ...served, port: config.rpcPort, services: [authService(methods)] }));
  const adminServices = [authAdmin(keyStore, signing, log), authServiceForStaff(methods)];
  const adminRpc = own('admin rpc', await serveRpc({ ...served, port: config.adminRpcPort, services: adminServices }));
  log.info({ rpc_port: rpc.port, admin_rpc_port: adminRpc.port }, 'serving RPC');
});
