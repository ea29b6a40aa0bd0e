import { expect } from 'chai';
import fc from 'fast-check';
import { drawTimeline, timelineOf, type TimedJob } from '../src/domain/timeline.ts';

const start = Date.parse('2030-01-01T12:00:00.000Z');

function at(seconds: number): string {
  return new Date(start + 1_000 * seconds).toISOString();
}

function phase(name: string, from: number, to: number, seconds = to - from) {
  return { name, fromMs: 1_000 * from, toMs: 1_000 * to, ms: 1_000 * seconds };
}

/** Its lines, without the two of the legend. */
function drawn(jobs: readonly TimedJob[], nowSeconds: number): string[] {
  return drawTimeline(timelineOf(jobs, new Date(start + 1_000 * nowSeconds)), 'none')
    .split('\n')
    .slice(0, -2);
}

describe('the timeline of a video', () => {
  const fetch = {
    ...{ stage: 'fetch', name: 'source', readyAt: at(0), startedAt: at(1), finishedAt: at(20), claimedBy: 'a' },
    phases: [phase('fetch', 0, 19, 15), phase('upload', 0, 19, 12)],
  };
  const piece = {
    ...{ stage: 'encode', name: 'piece-1', readyAt: at(10), startedAt: at(30), finishedAt: at(66), claimedBy: 'b' },
    phases: [phase('fetch', 0, 6), phase('encode', 3, 30, 25.5), phase('upload', 27, 36)],
  };

  it('a job is drawn as what it does in each second, beside each other too, in the order of the claims', () => {
    expect(drawn([piece, fetch], 100)).to.deep.equal([
      'JOB            BY   WAIT  FETCH ENCODE UPLOAD  WHOLE  0 s       10        20        30        40        50        60',
      'fetch/source    1    1.0   15.0      –   12.0   19.0  ·xxxxxxxxxxxxxxxxxxx',
      'encode/piece-1  2   20.0    6.0   25.5    9.0   36.0            ····················fffFFFeeeeeeeeeeeeeeeeeeeeeUUUuuuuuu',
      '',
      '1 = a',
      '2 = b',
    ]);
  });

  it('a phase that mostly pauses is drawn only where no other lasts', () => {
    const calls = phase('upload', 5, 36, 2);
    const encode = phase('encode', 3, 30);
    const [, line] = drawn([{ ...piece, readyAt: at(0), startedAt: at(0), phases: [encode, calls] }], 66);
    expect(line?.replaceAll(/([-eu])\1+/g, '$1')).to.match(/ -eu-$/);
  });

  it('a running job goes on until now, a ready one waits until now, and one for later does neither', () => {
    const job = { stage: 'encode', phases: [] };
    const jobs = [
      { ...job, name: 'later', readyAt: at(90), startedAt: at(40), claimedBy: 'b' },
      { ...job, name: 'next', readyAt: at(30) },
      { ...job, name: 'running', readyAt: at(0), startedAt: at(30), claimedBy: 'b' },
    ];
    const [, ...lines] = drawn(jobs, 60);
    expect(lines.slice(0, 3).map((line) => line.replaceAll(/([·-])\1+/g, '$1$1'))).to.deep.equal([
      'encode/running  1   30.0      –      –      –   30.0  ··--',
      `encode/next     –   30.0      –      –      –      –  ${' '.repeat(22)}··`,
      'encode/later    –    0.0      –      –      –      –',
    ]);
  });

  it('a job that is shorter than a column has a letter, and a video without jobs has none', () => {
    const short = { ...piece, readyAt: at(40), startedAt: at(40.01), finishedAt: at(40.02), phases: [] };
    expect(drawn([fetch, { ...short, name: 'short' }, piece], 100)[3]).to.match(/ {2}\S+ {2} +-$/);
    expect(drawTimeline([], 'no jobs')).to.equal('no jobs');
  });

  it('whatever the times, no line is wider than 120 columns, and every job that was claimed is seen', () => {
    const { array, assert, constantFrom, integer, option, property, record } = fc;
    const second = integer({ min: 0, max: 500_000 });
    const phases = array(
      record({ name: constantFrom('fetch', 'encode', 'upload'), fromMs: second, toMs: second, ms: second }),
    );
    const times = record({ ready: second, started: option(second), finished: option(second), phases });
    assert(
      property(array(times, { minLength: 1, maxLength: 12 }), (all) => {
        const jobs = all.map(({ ready, started, finished, ...more }, index) => ({
          ...{ stage: 'encode', name: `piece-${index}`, readyAt: at(ready), claimedBy: 'a', ...more },
          ...{
            startedAt: started === null ? undefined : at(started),
            finishedAt: finished === null ? undefined : at(finished),
          },
        }));
        const rows = timelineOf(jobs, new Date(start));
        const lines = drawTimeline(rows, 'none').split('\n');
        for (const line of lines) expect(line.length, line).to.be.at.most(120);
        for (const [index, { claimedMs }] of rows.entries())
          if (claimedMs !== undefined) expect(lines[index + 1]).to.match(/[-feuFUxX]$/);
      }),
    );
  });
});
