/** One stack for the tests that kill its processes one after the other, with the shortest sweeps and leases. */
import type { Context } from 'mocha';
import { skipBecause } from '@vds/testkit/skip';
import { addStreamAdmin } from '@vds/testkit/stack/stream-admin';
import { openHost, type HostTarget } from '../harness/host/host.ts';
import { shared } from '../harness/shared.ts';
import { targetKind } from '../harness/target-kind.ts';

const worker = { PURGE_AGAIN_AFTER: '4s', WORK_LEASE: '3s', WORK_RENEW: '500ms' };
const env = {
  // A short clip in parts, as a long title is fetched.
  ingest: { ...worker, SOURCE_PART_BYTES: '1572864' },
  // A short clip in pieces, as a long title is encoded.
  transcode: { ...worker, WHOLE_BELOW: '2s', PIECE_LENGTH: '1s' },
  metadata: worker,
  captions: { ...worker, CAPTION_LANGUAGES: 'en,es', GARBAGE_AFTER: '2s' },
  catalog: { DELETE_GRACE: '1s', REPUBLISH_FIRST: '2s', REPUBLISH_MAX: '3s' },
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
