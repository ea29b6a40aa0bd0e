/** Which test shows each interleaving of concurrent work. The list is kept true: every named test must exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../..', import.meta.url));
const oneOrder = 'concurrent changes leave what the pure functions decide in one order';
const linearizability = ['services/catalog/test/service/linearizability.test.ts', oneOrder] as const;
const replicas = 'services/catalog/test/outages/replicas.test.ts';

const shown: Readonly<Record<string, readonly [file: string, title: string]>> = {
  'an archive and the completion of the video': [replicas, 'replicas agree on one outcome of concurrent commands'],
  'a republish and the completion': linearizability,
  'a delete and the completion': linearizability,
  'an archive and a republish': linearizability,
  'an archive and a delete': linearizability,
  'a republish and a delete': linearizability,
  'a completion after the failure of its stage': [replicas, 'duplicate, late, early and stale events have the same'],
  'two tries upload at once': [
    'services/_testkit/contract/worker.ts',
    '${stage} whose process has lost its lease changes nothing once another process has completed it',
  ],
  'a completion is delivered again': [replicas, 'duplicate, late, early and stale events have the same effect'],
  'changes reach the index out of order': [
    'services/indexer/test/versions.test.ts',
    'versions written in any order, repeatedly and with tombstones, end in the newest',
  ],
  'changes reach the index concurrently': [
    'services/indexer/test/versions.test.ts',
    'versions written concurrently end in the newest',
  ],
  'a write after the index has forgotten the deletion': [
    'services/indexer/test/service.test.ts',
    'a purge leaves nothing but a tombstone, and is confirmed then',
  ],
  'an upload after the removal': [
    'services/_chassis/test/stage/purge.test.ts',
    'the final sweep of a purge removes what a worker wrote after losing its lease',
  ],
  'a removal of leftovers and a new attempt': [
    'services/_chassis/test/stage/orphaned-objects.test.ts',
    'a purge of other attempts keeps the given attempt and a later retry',
  ],
  'a failure and queued commands': [
    'services/catalog/test/domain/lifecycle.properties.test.ts',
    'intent and hold survive failure and retry',
  ],
  'a worker suspended for longer than its lease': [
    'test-e2e/chaos/chaos.test.ts',
    'a stack under faults loses nothing',
  ],
  'the result of a worker whose lease has expired': [
    'services/_chassis/test/work/leases.test.ts',
    'the result of a worker whose lease has expired is rejected',
  ],
  'an operator’s retry and events of the old attempt': [
    'services/catalog/test/service/operator.test.ts',
    'a retry of a failed video starts a new attempt, which ignores events of the old one',
  ],
  'a republish while the index still has the removal to do': [
    'services/indexer/test/sweep-index.test.ts',
    'a late write of a video that was read before it was archived is rejected by a new index',
  ],
  'a gate is cached while its video is republished or deleted': [
    'services/playback/test/gates.test.ts',
    'a gate resolved while the video changed is not used',
  ],
  'captions after the completion, the archive or the deletion': [
    'services/catalog/test/service/attach.test.ts',
    'the newest revision of the tracks wins in any order of arrival',
  ],
  'a takedown and a republish': [
    'services/catalog/test/service/operator.test.ts',
    'a held live video is archived to its partner, closed to viewers at once, and cannot be republished',
  ],
  'a key is rotated by several operators at once': [
    'services/auth/test/key-administration.test.ts',
    'of several concurrent rotations of a key exactly one succeeds',
  ],
  'submissions race for the last place of the day': [
    'services/catalog/test/service/create-video.test.ts',
    'exactly 50 of 200 concurrent requests to two processes are accepted on a budget of 50',
  ],
  'two changes of one version': [
    'services/catalog/test/service/stage-updates.test.ts',
    'an update of a stage is not overwritten by a plan that was made before it',
  ],
  'two submissions with one id': [
    'services/catalog/test/service/create-video.test.ts',
    'concurrent requests with one id make one video and one charge',
  ],
  'the clock of the database is set back': [
    'services/auth/test/minute-window.test.ts',
    'the minute window stays ordered when the clock of the database is set back',
  ],
  'two relays publish one outbox': [
    'services/_chassis/test/database/outbox.test.ts',
    'two relays publish each of 1,000 rows once',
  ],
};

describe('the list of interleavings', () => {
  it('each of twenty-eight interleavings has an existing test that shows it', () => {
    expect(Object.keys(shown)).to.have.length(28);
    const missing = Object.values(shown).filter(([file, title]) => {
      const text = readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' ');
      return !new RegExp(`it\\( ?['\`]${escaped(title)}`).test(text);
    });
    expect(missing).to.deep.equal([]);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^$()[\]{}|\\]/g, String.raw`\$&`);
}
