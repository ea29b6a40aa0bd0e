/** What a partner sees of the lifecycle. */
import type { Reply } from './commands.ts';

/** Every reply that a partner can get. */
export const replies = {
  archived: { status: 'archived', queued: false },
  archiveQueued: {
    status: 'archive_queued',
    message:
      'The video is still processing. It will be archived the moment processing completes and will not appear in feeds, search or recommendations. Republish it to cancel this.',
    queued: true,
  },
  /** While the operator holds the video a republish cannot cancel it. */
  archiveQueuedHeld: {
    status: 'archive_queued',
    message:
      'The video is still processing. It will be archived the moment processing completes and will not appear in feeds, search or recommendations.',
    queued: true,
  },
  public: { status: 'public', queued: false },
  goesLive: {
    status: 'processing',
    message: 'The video is still processing. It will go live when processing completes; no archive is queued.',
    queued: true,
  },
  deleteQueued: {
    status: 'processing',
    message:
      'The video is still processing. Processing is being stopped, and the video will be deleted within a minute. This cannot be undone.',
    queued: true,
  },
  deleted: { status: 'deleted', queued: false },
} as const satisfies Record<string, Reply>;
