import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { openScreen } from './screen.ts';

/** An output that keeps its text. */
function recorder(isTTY: boolean) {
  const written: string[] = [];
  return { written, output: { isTTY, columns: 60, write: (text: string) => written.push(text) > 0 } };
}

describe('the demo’s screen', () => {
  it('without a terminal a finished task leaves one line, and details none', async () => {
    const { written, output } = recorder(false);
    const screen = openScreen({ verbose: false, output });
    await screen.task('programs', async (note) => {
      note('ffmpeg');
      screen.detail('… apt-get install ffmpeg');
    });
    expect(written.join('')).to.match(/^✓ programs \([\d.]+ s\)\n$/);
  });

  it('a message that is not progress stays', () => {
    const { written, output } = recorder(false);
    const screen = openScreen({ verbose: false, output });
    for (const text of ['… nats', '✓ nats (0.1 s)', 'ended: nats']) screen.progress(text);
    expect(written).to.deep.equal(['ended: nats\n']);
  });

  it('a task’s line can say its result, or be left out', async () => {
    const { written, output } = recorder(false);
    const screen = openScreen({ verbose: false, output });
    await screen.task(
      'services',
      async () => 9,
      (count) => `services: ${count}`,
    );
    await screen.task(
      'ending',
      async () => {},
      () => null,
    );
    expect(written.join('')).to.match(/^✓ services: 9 \([\d.]+ s\)\n$/);
  });

  it('verbose prints every note and detail', async () => {
    const { written, output } = recorder(true);
    const screen = openScreen({ verbose: true, output });
    await screen.task('soccer', async (note) => {
      note('encode started 40 %');
      screen.detail('POST /v1/videos');
    });
    expect(written.join('')).to.match(
      /^… soccer\n +[\d.]+ s {2}soccer: encode started 40 %\nPOST \/v1\/videos\n✓ soccer \([\d.]+ s\)\n$/,
    );
  });

  it('on a terminal what is running is shown in place, no wider than the terminal', async () => {
    const { written, output } = recorder(true);
    const screen = openScreen({ verbose: false, output });
    await screen.task('programs', async () => {
      screen.detail(`… apt-get install ${'ffmpeg '.repeat(20)}`);
      await until(() => written.some((text) => text.includes('apt-get')), { what: 'the status line is drawn' });
    });
    const status = (written.find((text) => text.includes('apt-get')) ?? '').replace('\r\u001b[2K', '');
    expect(status).to.match(/^… programs · apt-get install .*… \(\d+ s\)$/);
    expect([...status].length).to.be.below(60);
    expect(written.join('').split('\n')).to.have.length(2);
  });

  it('beside a task stands what still runs, not what has just ended', async () => {
    const { written, output } = recorder(false);
    const screen = openScreen({ verbose: false, output, silenceMs: 1 });
    await screen.task('programs', async () => {
      for (const line of ['… go install', '… pip install', '… pip: 40 MB', '✓ pip install (2.0 s)'])
        screen.progress(line);
      await until(() => written.length > 0, { what: 'a progress line' });
    });
    expect(written[0]).to.match(/^… programs · go install \(\d+ s\)\n$/);
  });

  it('a result is printed on its own output, below no rest of a status line', async () => {
    const { written, output } = recorder(true);
    const screen = openScreen({
      verbose: false,
      output,
      results: { write: (text) => written.push(`result ${String(text)}`) > 0 },
    });
    await screen.task('captions', async () => {
      await until(() => written.length > 0, { what: 'the status line is drawn' });
      written.splice(0);
      screen.result('player http://127.0.0.1');
    });
    expect(written.slice(0, 2)).to.deep.equal(['\r\u001b[2K', 'result player http://127.0.0.1\n']);
  });

  it('without a terminal a long silence is broken by a progress line', async () => {
    const { written, output } = recorder(false);
    const screen = openScreen({ verbose: false, output, silenceMs: 1 });
    await screen.task('programs', async (note) => {
      note('ffmpeg');
      await until(() => written.length >= 2, { what: 'two progress lines' });
    });
    expect(written[0]).to.match(/^… programs: ffmpeg \(\d+ s\)\n$/);
  });

  it('a task that fails leaves no line, and its error is passed on', async () => {
    const { written, output } = recorder(false);
    const screen = openScreen({ verbose: false, output });
    const failed = screen.task('programs', async () => {
      throw new Error('no apt');
    });
    expect(await failed.catch((error: Error) => error.message)).to.equal('no apt');
    expect(written).to.deep.equal([]);
  });
});
