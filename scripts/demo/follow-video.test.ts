import { expect } from 'chai';
import { followVideo } from './follow-video.ts';

describe('following a video', () => {
  it('following a video reports every change once and ends with the first status that is not processing', async () => {
    const rounds = [
      [{ stage: 'fetch', state: 'requested', progress: 0 }],
      [{ stage: 'fetch', state: 'started', progress: 41 }],
      [{ stage: 'fetch', state: 'started', progress: 44 }],
      [
        { stage: 'fetch', state: 'completed', progress: 100 },
        { stage: 'encode', state: 'started', progress: 0 },
      ],
      [
        { stage: 'fetch', state: 'completed', progress: 100 },
        { stage: 'encode', state: 'completed', progress: 100 },
      ],
    ];
    const lines: string[] = [];
    const ended = await followVideo({
      stages: async () => rounds.shift() ?? [],
      status: async () => 'ready',
      onChange: (text) => lines.push(text),
      signal: new AbortController().signal,
      everyMs: 1,
      statusEveryMs: 1,
    });
    expect(ended).to.equal('ready');
    expect(lines).to.deep.equal([
      'fetch requested',
      'fetch started 40 %',
      'fetch completed',
      'encode started',
      'encode completed',
    ]);
  });

  it('following a video stops when it is aborted', async () => {
    const stopping = AbortSignal.timeout(20);
    const follow = followVideo({
      stages: async () => [{ stage: 'fetch', state: 'started', progress: 0 }],
      status: async () => 'processing',
      onChange: () => {},
      signal: stopping,
      everyMs: 5,
    });
    expect(
      await follow.then(
        () => 'ended',
        (error: Error) => error.name,
      ),
    ).to.equal('AbortError');
  });

  it('following a video continues after a call that failed, and fails when nobody answers any more', async () => {
    const answers = [new Error('deadline exceeded'), [{ stage: 'encode', state: 'completed', progress: 100 }]];
    const options = { onChange: () => {}, signal: new AbortController().signal, everyMs: 1, statusEveryMs: 1 };
    const stages = async () => {
      const answer = answers.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    };
    expect(await followVideo({ ...options, stages, status: async () => 'ready' })).to.equal('ready');
    const silent = followVideo({
      ...options,
      stages: async () => {
        throw new Error('deadline exceeded');
      },
      status: async () => 'ready',
      patienceMs: 20,
    });
    expect(
      await silent.then(
        () => 'ended',
        (error: Error) => error.message,
      ),
    ).to.equal('deadline exceeded');
  });
});
