/** Ways of bringing a video into each of its states. */
import type { FailureCode } from '@vds/proto/failures';
import { bare } from './apps.ts';
import type { PlayedStage } from './players.ts';
import type { Broken, Column } from './record-table.ts';
import type { Steps } from './steps.ts';

/** What is to be expected of a video after a scene. */
export type Outcome = {
  readonly column: Column;
  readonly probed?: boolean;
  readonly captioned?: boolean;
  readonly progress?: number;
  readonly failure?: Broken;
};
/** Plays with a video that was just accepted and whose stages nobody answers yet. */
export type Scene = (id: string, steps: Steps) => Promise<Outcome>;
type Scenes = Readonly<Record<string, Scene>>;

const details = { http_status: '404' };
const archived: Outcome = { column: 'archived' };
const fetching: Outcome = { column: 'processing', probed: false, progress: 6 };

const live: Scene = async (id, { live: comesLive }) => {
  await comesLive(id);
  return { column: 'ready' };
};

const processing: Scenes = {
  'processing, just accepted': async () => ({ column: 'processing', probed: false, progress: 0 }),
  'processing, before the probe': whileFetching(async () => undefined),
  'processing, after the probe': async (id, { runs }) => {
    await runs(id, 'encode', 50, 50);
    return { column: 'processing', progress: 50 };
  },
  'processing with an archive queued': whileFetching((id, { partner }) => partner.archive(id)),
  'processing with a delete queued': whileFetching((id, { partner }) => partner.remove(id)),
  'processing and held': whileFetching((id, { staff, by }) => staff.HoldVideo(by(id))),
  'processing again, by a retry': async (id, steps) => {
    await steps.fails(id, 'encode', 'transcode_failed');
    await steps.upTo(id, 'fetch');
    await steps.staff.RetryVideo(steps.by(id));
    return { column: 'processing', probed: false, progress: 0 };
  },
};

const done: Scenes = {
  ready: live,
  'ready without captions and metadata': async (id, { players, comes }) => {
    await players.play(bare(id), (stage) =>
      stage === 'captions' || stage === 'metadata' ? { fail: 'internal_error' } : 'complete',
    );
    await comes(id, 'ready');
    return { column: 'ready', captioned: false };
  },
  'ready after a republish': async (id, steps) => {
    await steps.live(id);
    await steps.partner.archive(id);
    await steps.partner.republish(id);
    return { column: 'ready' };
  },
  archived: archivedBy((id, { partner }) => partner.archive(id)),
  'archived at its completion': archivedSince((id, { partner }) => partner.archive(id)),
  'held by the operator': archivedBy((id, { staff, by }) => staff.HoldVideo(by(id))),
  'held since before its completion': archivedSince((id, { staff, by }) => staff.HoldVideo(by(id))),
};

const failed: Scenes = {
  'failed at fetch': fails('fetch', 'source_not_found'),
  'failed at inspect': fails('inspect', 'source_corrupt'),
  'failed at encode': fails('encode', 'transcode_failed'),
  'failed and held': async (id, steps) => {
    const outcome = await fails('encode', 'internal_error')(id, steps);
    await steps.staff.HoldVideo(steps.by(id));
    return outcome;
  },
};

const deleted: Scenes = {
  'deleted after it was ready': deletedAfter(live),
  'deleted after it was archived': deletedAfter(archivedBy((id, { partner }) => partner.archive(id))),
  'deleted after it was held': deletedAfter(archivedBy((id, { staff, by }) => staff.HoldVideo(by(id)))),
  'deleted after it failed': deletedAfter(fails('encode', 'transcode_failed')),
  'deleted after the time of a failed video': async (id, steps) => {
    const { failure } = await fails('fetch', 'source_timeout')(id, steps);
    const catalog = steps.stack.stack.adminPool('catalog');
    await catalog.query('UPDATE videos SET due_at = now() WHERE id = $1', [bare(id)]);
    await steps.comes(id, 'deleted');
    return { column: 'deleted', ...(failure && { failure }) };
  },
  'deleted while it was processing': async (id, { partner, comes }) => {
    await partner.remove(id);
    await comes(id, 'deleted');
    return { column: 'deleted' };
  },
  'deleted at the failure of its last stage': async (id, { partner, players, runs, comes }) => {
    await runs(id, 'fetch', 40, 6);
    await partner.remove(id);
    await players.fail('fetch', await players.asked(bare(id), 'fetch'), 'source_timeout');
    await comes(id, 'deleted');
    return { column: 'deleted' };
  },
};

/** Every state that a video can be in, with the ways into it. */
export const scenes: Scenes = { ...processing, ...done, ...failed, ...deleted };

function deletedAfter(scene: Scene): Scene {
  return async (id, steps) => {
    const { failure } = await scene(id, steps);
    await steps.partner.remove(id);
    return { column: 'deleted', ...(failure && { failure }) };
  };
}

function fails(stage: PlayedStage, code: FailureCode): Scene {
  return async (id, steps) => {
    await steps.fails(id, stage, code, details);
    const probed = stage !== 'fetch' && stage !== 'inspect';
    return { column: 'failed', probed, failure: { code, stage, details } };
  };
}

/** While the source is being fetched, before it is probed. */
function whileFetching(act: (id: string, steps: Steps) => Promise<unknown>): Scene {
  return async (id, steps) => {
    await steps.runs(id, 'fetch', 40, 6);
    await act(id, steps);
    return fetching;
  };
}

function archivedBy(act: (id: string, steps: Steps) => Promise<unknown>): Scene {
  return async (id, steps) => {
    await steps.live(id);
    await act(id, steps);
    return archived;
  };
}

/** What the video is once it is done, after something that happened before. */
function archivedSince(act: (id: string, steps: Steps) => Promise<unknown>): Scene {
  return async (id, steps) => {
    await act(id, steps);
    await steps.finish(id);
    await steps.comes(id, 'archived');
    return archived;
  };
}
