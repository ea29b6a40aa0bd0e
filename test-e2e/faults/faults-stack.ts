/** One stack for the tests that kill its processes one after the other, with the shortest sweeps and leases. */
import type { Context } from 'mocha';
import { skipBecause } from '@vds/testkit/skip';
import { addStreamAdmin } from '@vds/testkit/stack/stream-admin';
import { openHost, type HostTarget } from '../harness/host/host.ts';
import { shared } from '../harness/shared.ts';
import { targetKind } from '../harness/target-kind.ts';

const times = '0.05,purgeAgain=4s';
const worker = { TIME_SCALE: times };
const env = {
  // A short clip in parts, as a long title is fetched.
  ingest: { ...worker, SOURCE_PART_BYTES: '1572864' },
  // A short clip in pieces, as a long title is encoded.
  transcode: { TIME_SCALE: `${times},wholeBelow=2s`, PIECE_LENGTH: '1s' },
  metadata: worker,
  captions: { TIME_SCALE: `${times},garbageAfter=2s`, CAPTION_LANGUAGES: 'en,es' },
  catalog: { TIME_SCALE: 'deleteGrace=1s,republishFirst=2s,republishMax=3s' },
};

const opened = shared(open, ({ close }) => close());

/** The stack. */
export async function faultsStack(context: Context): Promise<HostTarget> {
  if (targetKind() !== 'host') return skipBecause(context, 'needs processes of this host that it may kill');
  return opened();
}

async function open(): Promise<HostTarget> {
  const target = await openHost({ suffix: 'faults', env });
  await addStreamAdmin(target.stack.servers, target.stack.name);
  return target;
}
