import { expect } from 'chai';
import { whyLate, type JobState, type StageState } from '../src/domain/why-late.ts';

const now = new Date('2030-01-01T12:00:00.000Z');

function at(seconds: number): string {
  return new Date(now.getTime() + 1_000 * seconds).toISOString();
}

const fetch: StageState = { stage: 'fetch', attempt: 1, state: 'started', owner: 'ingest', requestedAt: at(-100) };
const job: JobState = { stage: 'fetch', attempt: 1, state: 'ready', tries: 0, readyAt: at(-1) };

function why(stages: readonly StageState[], jobs: readonly JobState[], more: object = {}): readonly string[] {
  const facts = { processing: true, unreadable: new Map<string, string>(), sourceHost: 'media.example.com' };
  return whyLate({ ...facts, stages, jobs, now, ...more });
}

describe('why a video is late', () => {
  it('a source that fails is named with its host, the next try and the last error', () => {
    const error = 'try 2: the host cannot serve the file now (http_status 503)';
    expect(why([fetch], [{ ...job, readyAt: at(38), error }])).to.deep.equal([
      `fetch of media.example.com is tried again in 38 s: ${error}`,
    ]);
  });

  it('a job that waits for a slot is behind the older ones of its queue', () => {
    expect(why([fetch], [{ ...job, olderReady: 14 }])).to.deep.equal([
      'fetch waits for a free slot of ingest: 14 older jobs wait in its queue',
    ]);
    expect(why([fetch], [job])[0]).to.include('no older job waits');
  });

  it('a dependency that is unavailable goes before everything else', () => {
    const blocked = { ...job, blockedSince: at(-600), blockedBy: 'dependency', error: 'ECONNREFUSED' };
    expect(why([fetch], [{ ...job, state: 'running' }, blocked])).to.deep.equal([
      'fetch waits for a dependency that is unavailable, since 10 min: ECONNREFUSED',
    ]);
    expect(why([fetch], [{ ...blocked, blockedBy: 'missing' }])[0]).to.include('an object that is missing');
  });

  it('jobs that run are counted beside those that are done, without those of earlier attempts', () => {
    const jobs = ['done', 'done', 'running', 'ready'].map((state) => ({ ...job, state }));
    const earlier = { ...job, attempt: 0, blockedSince: at(-5) };
    expect(why([fetch], [earlier, ...jobs])).to.deep.equal(['fetch is running: 2 of 4 jobs done, 1 running']);
  });

  it('a stage without jobs is said to be so, and one whose jobs have ended', () => {
    expect(why([fetch], [])).to.deep.equal(['fetch was requested 2 min ago, and ingest has no job of it yet']);
    expect(why([fetch], [{ ...job, state: 'done' }])[0]).to.include('its jobs have ended');
  });

  it('a service that does not answer is named, as what its jobs wait for is unknown', () => {
    expect(why([fetch], [], { unreadable: new Map([['ingest', 'cannot be reached']]) })).to.deep.equal([
      'fetch: the jobs of ingest are unknown: cannot be reached',
    ]);
  });

  it('each open stage has its sentence, and ended ones have none', () => {
    const captions = { ...fetch, stage: 'captions', owner: 'captions' };
    const sentences = why([{ ...fetch, state: 'completed' }, captions, { ...captions, stage: 'metadata' }], []);
    expect(sentences.map((sentence) => sentence.split(' ')[0])).to.deep.equal(['captions', 'metadata']);
    expect(why([{ ...fetch, state: 'completed' }], [], { processing: false })).to.deep.equal([]);
    expect(why([{ ...fetch, state: 'completed' }], [])[0]).to.include('no stage is open');
  });
});
