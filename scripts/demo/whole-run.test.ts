/** The demo as a person runs it: from the command line to its last line. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cached, ffmpeg } from '@vds/testkit/media/render';
import { skipBecause } from '@vds/testkit/skip';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Lines of a small terminal; `npm run` itself prints four. */
const SCREENFUL = 24 - 4;

/** Runs the demo with its own servers and returns its exit code and output. */
async function demo(...args: string[]): Promise<{ code: number | null; printed: string }> {
  const { VDS_SERVERS: _, ...env } = process.env;
  const child = spawn('sh', ['scripts/bootstrap.sh', 'demo', ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (printed += String(data)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, printed };
}

describe('a whole run of the demo', function () {
  this.timeout(900_000);

  before(function () {
    if (process.env['VDS_LONG'] !== '1') skipBecause(this, 'takes minutes: npm run test:long');
  });

  it('`--once` checks three clips and prints no more than a screenful', async () => {
    const { code, printed } = await demo('--once');
    expect(code, printed).to.equal(0);
    expect(printed.trimEnd().split('\n').length, printed).to.be.at.most(SCREENFUL);
    expect(printed.match(/^✓ ready: /gm), printed).to.have.length(3);
    expect(printed).to.not.match(/warn|notice|0 MB|failed/i);
    for (const found of [
      'search “goalkeeper”',
      'search “motion”',
      'all 3 videos are in the feed',
      'recommended beside',
    ])
      expect(printed).to.include(found);
    // The second without a Spanish voice.
    expect(printed).to.match(/search “(público|audience)” \(only spoken, in (Spanish|English)\): 0:0[4-8]/);
  });

  it('a film without speech says so in one line, and has a title from its file’s name and no sport', async () => {
    const film = await cached('a_day-at_the_beach', 'mp4', 'test pattern and tone', (path) =>
      ffmpeg([
        ...['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=8', '-f', 'lavfi', '-i', 'sine=f=220:r=48000:d=8'],
        ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '50', '-c:a', 'aac', path],
      ]),
    );
    const { code, printed } = await demo('--once', '--file', film);
    expect(code, printed).to.equal(0);
    expect(printed).to.match(/^✓ no speech found, so no captions /m);
    expect(printed).to.match(/^✓ ready: “A day at the beach/m);
    expect(printed).to.match(/^✓ the video is in the feed /m);
  });
});
