/** The owners of the stages, as the process tests play them. */
import { setTimeout as pause } from 'node:timers/promises';
import { events } from '@vds/proto/events';
import type { terminalEvents } from '@vds/proto/testing/terminal-events';
import type { PublishedEvent, Harness } from './harness.ts';
import { namedStages } from '../domain/stages.ts';

/** Completes every request for these videos, including repeats, like owners with finished rows; until stopped. */
export function autoComplete(harness: Harness, complete: ReturnType<typeof terminalEvents>) {
  return (videoIds: readonly string[]): (() => Promise<void>) => {
    let stopped = false;
    const reply = async (): Promise<void> => {
      for (let next = 0; !stopped; await pause(10)) {
        for (; next < harness.published.length; next++) {
          const { name, payload } = harness.published[next] as PublishedEvent;
          const stage = namedStages.find((one) => name === `${one}Requested`);
          const videoId = String(payload['videoId']);
          if (!stage || !videoIds.includes(videoId)) continue;
          if (stage === 'encode') await harness.publish(events.audioCompleted, { videoId, attempt: 1, hasAudio: false, audioPlaylistKey: '' }); // prettier-ignore
          await complete[stage](videoId);
        }
      }
    };
    const running = reply();
    return () => {
      stopped = true;
      return running;
    };
  };
}
