/** The owners of the stages, as the process tests play them. */
import { setTimeout as pause } from 'node:timers/promises';
import { events } from '@vds/proto/events';
import type { lastWords } from '@vds/proto/testing/last-words';
import type { Heard, House } from './harness.ts';
import { namedStages } from './stages.ts';

/** Answers every request for these videos, repeats too, as owners do that have finished rows; until it is stopped. */
export function obliging(house: House, complete: ReturnType<typeof lastWords>) {
  return (videoIds: readonly string[]): (() => Promise<void>) => {
    let stopped = false;
    const answer = async (): Promise<void> => {
      for (let next = 0; !stopped; await pause(10)) {
        for (; next < house.heard.length; next++) {
          const { name, payload } = house.heard[next] as Heard;
          const stage = namedStages.find((one) => name === `${one}Requested`);
          const videoId = String(payload['videoId']);
          if (!stage || !videoIds.includes(videoId)) continue;
          if (stage === 'encode') await house.say(events.audioCompleted, { videoId, attempt: 1, hasAudio: false, playlistKey: '' }); // prettier-ignore
          await complete[stage](videoId);
        }
      }
    };
    const running = answer();
    return () => {
      stopped = true;
      return running;
    };
  };
}
