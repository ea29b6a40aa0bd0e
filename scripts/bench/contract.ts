/**
 * The cost of hostile requests for the gateway, and whether timing reveals what responses do not: another's video or a
 * missing one; a wrong secret, an unknown or a revoked key. Exits with 1 if a target is missed.
 */
import { print, step } from '@vds/testkit/servers/progress';
import { hostileCosts } from '@vds/gateway/bench/hostile-costs';
import { openContract } from './contract-stack.ts';
import { timesOfCredentials, timesOfVideos } from './contract-times.ts';
import { withStack } from '@vds/testkit/stack/with-stack';

export async function benchContract(): Promise<void> {
  const options = {
    services: ['auth' as const, 'catalog' as const, 'gateway' as const],
    env: { gateway: { PLAYBACK_PUBLIC_URL: 'https://play.example.com' } },
  };
  await withStack(options, async (bench) => {
    const contract = await step('publishers and keys', () => openContract(bench));
    const missed = [
      await hostileCosts(contract),
      await timesOfVideos(contract),
      await timesOfCredentials(contract),
    ].flat();
    await contract.close();
    for (const bar of missed) print(`MISSED ${bar}`);
    if (missed.length > 0) process.exitCode = 1;
  });
}
