/**
 * THE lifecycle: one table of every command in every situation (spec §3; a failed outcome and the operator's hold, which
 * the spec leaves open, included). Pure: it reads no clock, draws no random number and writes nothing.
 */
import {
  archiveNow,
  complete,
  deleteNow,
  fail,
  forgetQueuedArchive,
  gone,
  hold,
  ignore,
  queueArchive,
  queueDelete,
  reopen,
  rememberArchive,
  release,
  refuse,
  republish,
  retry,
  same,
  says,
} from './transition-actions.ts';
import type { Action } from './transition-actions.ts';
import { situationOf, type Command, type CommandType, type Decision, type Situation } from './commands.ts';
import type { Context, Video } from './video.ts';

type Row<T extends CommandType> = Readonly<Record<Situation, Action<Extract<Command, { type: T }>>>>;
type Table = { readonly [T in CommandType]: Row<T> };

const heldByUs = refuse('This video is held by the operator and cannot be republished. Contact the operator about it.');

const table: Table = {
  archive: {
    processing: queueArchive,
    processingHeld: queueArchive,
    deleting: gone,
    ready: archiveNow,
    archived: same(says.archived),
    held: rememberArchive,
    failed: failedCannot('archived'),
    deleted: gone,
  },
  republish: {
    processing: forgetQueuedArchive,
    processingHeld: heldByUs,
    deleting: gone,
    ready: same(says.public),
    archived: republish,
    held: heldByUs,
    failed: failedCannot('republished'),
    deleted: gone,
  },
  delete: {
    processing: queueDelete,
    processingHeld: queueDelete,
    deleting: same(says.deleteQueued),
    ready: deleteNow,
    archived: deleteNow,
    held: deleteNow,
    failed: deleteNow,
    deleted: same(says.deleted),
  },
  completion: {
    processing: complete,
    processingHeld: complete,
    deleting: deleteNow,
    ready: ignore,
    archived: ignore,
    held: ignore,
    failed: ignore,
    deleted: ignore,
  },
  failure: {
    processing: fail,
    processingHeld: fail,
    deleting: deleteNow,
    ready: ignore,
    archived: ignore,
    held: ignore,
    failed: ignore,
    deleted: ignore,
  },
  retry: {
    processing: operatorCannot('is still processing'),
    processingHeld: operatorCannot('is still processing'),
    deleting: operatorCannot('is being deleted'),
    ready: operatorCannot('has not failed'),
    archived: operatorCannot('has not failed'),
    held: operatorCannot('has not failed'),
    failed: retry,
    deleted: operatorCannot('is deleted'),
  },
  hold: {
    processing: hold,
    processingHeld: ignore,
    deleting: operatorCannot('is being deleted'),
    ready: hold,
    archived: hold,
    held: ignore,
    failed: hold,
    deleted: operatorCannot('is deleted'),
  },
  release: {
    processing: ignore,
    processingHeld: release,
    deleting: operatorCannot('is being deleted'),
    ready: ignore,
    archived: ignore,
    held: reopen,
    failed: release,
    deleted: operatorCannot('is deleted'),
  },
  remove: {
    processing: queueDelete,
    processingHeld: queueDelete,
    deleting: ignore,
    ready: deleteNow,
    archived: deleteNow,
    held: deleteNow,
    failed: deleteNow,
    deleted: ignore,
  },
  expire: {
    processing: ignore,
    processingHeld: ignore,
    deleting: deleteNow,
    ready: ignore,
    archived: ignore,
    held: ignore,
    failed: deleteNow,
    deleted: ignore,
  },
};

/**
 * Decides what `command` does to `video`.
 * @returns changes to the row and effects that go with them in one transaction; or that nothing changes; or a refusal
 *   whose message is for whoever asked. Only a partner's commands have a reply.
 */
export function transition(video: Video, command: Command, context: Context): Decision {
  const cell = table[command.type][situationOf(video)] as Action<Command>;
  return cell(video, command, context);
}

function failedCannot(verb: string): Action {
  return refuse(`This video failed to process, so it cannot be ${verb}. Delete it, or submit the source again.`);
}

function operatorCannot(what: string): Action {
  return refuse(`This video ${what}.`);
}
