/** How far the played sequences reach, and every state that can be reached at all. */
import { expect } from 'chai';
import fc from 'fast-check';
import { situationOf, type Command, type CommandType } from '../src/domain/commands.ts';
import { decideCommand } from '../src/domain/plan.ts';
import type { Video } from '../src/domain/video.ts';
import { play, sequence } from './domain/play.ts';
import { contextAt, later, newVideo, status } from './domain/fixtures.ts';
import { runs } from '@vds/testkit/counts';

describe('the generated sequences', () => {
  it('the generated sequences reach every situation often enough to prove something', () => {
    const counts = new Map<string, number>();
    fc.sample(sequence({ minLength: 40, maxLength: 40 }), { numRuns: runs(1_000), seed: 1 }).forEach((steps) =>
      new Set(play(steps).map(({ after }) => situationOf(after.video))).forEach((situation) =>
        counts.set(situation, (counts.get(situation) ?? 0) + 1),
      ),
    );
    expect(counts.size).to.equal(8);
    expect(Math.min(...counts.values())).to.be.at.least(50);
  });
});

describe('reachable states', () => {
  it('every reachable video is in a situation of the lifecycle table', () => {
    const commands: Command[] = [
      ...(['archive', 'republish', 'delete', 'retry', 'hold', 'release', 'remove', 'expire'] as const).map((type) => ({
        type,
      })),
      { type: 'completion', playbackId: 'p', durationMs: 1, ladderKey: 'l', thumbnailKey: 't' },
      { type: 'failure', failure: { code: 'internal_error', stage: 'fetch', details: {} } },
      { type: 'lose', failure: { code: 'internal_error', stage: 'encode', details: {} } },
    ];
    const key = ({ state, intent, held }: Video): string => `${state} ${intent} ${held ? 'held' : 'free'}`;
    const seen = new Map<string, Video>([[key(newVideo()), newVideo()]]);
    const edges = new Set<`${string}:${CommandType}`>();
    for (const video of seen.values()) {
      for (const command of commands) {
        const plan = decideCommand(
          { video, stages: [status('fetch', { state: 'started' })] },
          command,
          contextAt(later(1)),
        );
        edges.add(`${situationOf(video)}:${command.type}`);
        if (plan.kind === 'plan' && !seen.has(key(plan.video))) seen.set(key(plan.video), plan.video);
      }
    }
    expect([...seen.keys()].toSorted()).to.deep.equal([
      'archived archive held',
      'archived none free',
      'archived none held',
      'deleted none free',
      'deleted none held',
      'failed archive free',
      'failed archive held',
      'failed none free',
      'failed none held',
      'processing archive free',
      'processing archive held',
      'processing delete free',
      'processing delete held',
      'processing none free',
      'processing none held',
      'ready none free',
    ]);
    expect(edges.size).to.equal(8 * commands.length);
  });
});
