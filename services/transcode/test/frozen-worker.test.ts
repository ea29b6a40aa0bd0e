/** A worker suspended for longer than its lease, which continues when another has finished its work. */
import { createServer, request as send } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join, posix } from 'node:path';
import { expect } from 'chai';
import type { LadderDocument } from '@vds/proto/documents/ladder';
import { readObject } from '@vds/testkit/harness/objects';
import { until } from '@vds/testkit/until';
import { purgeLosers, requestEncode, requestInspect, uploadSource, waitForTerminalEvent } from './catalog.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder } from './clips.ts';
import { openHarness, type Harness } from './harness.ts';

/** An S3 endpoint that holds uploads below a path back: they are stored when they are released, by any sender. */
async function openHoldingProxy(endpoint: string, held: RegExp) {
  const { hostname, port } = new URL(endpoint);
  const waiting: (() => void)[] = [];
  let holding = true;
  const server = createServer((incoming, response) => {
    const { method, url = '', headers } = incoming;
    const forward = (): void => {
      const outgoing = send({ hostname, port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      outgoing.on('error', () => response.destroy());
      incoming.pipe(outgoing);
    };
    if (holding && method === 'PUT' && held.test(url)) waiting.push(forward);
    else forward();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (): number => waiting.length,
    release: (): void => {
      holding = false;
      for (const forward of waiting.splice(0)) forward();
    },
    close: (): void => server.close().closeAllConnections(),
  };
}

/** Every file that a player can reach from a ladder, below the attempt, and the ladder's own. */
async function filesOf({ media }: Harness, prefix: string, ladderFile: string): Promise<string[]> {
  const read = async (file: string): Promise<string> => (await readObject(media, `${prefix}${file}`)).toString();
  const ladder = JSON.parse(await read(ladderFile)) as LadderDocument;
  const lists = [...ladder.rungs.map(({ playlist }) => playlist), ladder.storyboard.track];
  const found = [ladderFile, ...lists, ladder.thumbnail.path];
  for (const list of lists)
    for (const line of (await read(list)).split('\n')) {
      const target = /URI="([^"]+)"/.exec(line)?.[1] ?? /^([^#\s][^#]*\.(?:m4s|jpg))/.exec(line)?.[1];
      if (target !== undefined) found.push(posix.join(posix.dirname(list), target));
    }
  return [...new Set(found)];
}

function foldersOf(files: readonly string[]): string[] {
  return [...new Set(files.map((file) => file.split('/', 1)[0] ?? ''))].toSorted();
}

describe('a frozen worker of transcode', function () {
  this.timeout(90_000);
  let harness: Harness;
  let folder: string;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness({
      ...{ TIME_SCALE: '0.03,purgeAgain=4s,wholeBelow=6s', PIECE_LENGTH: '6s', ENCODE_SLOTS: '1' },
    });
    await ffmpeg(...picture('160x90', 25, 14), ...fastH264, join(folder, 'clip.mp4'));
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  it('what a worker writes that was stopped beyond its lease is removed from the finished video, which stays whole', async () => {
    const proxy = await openHoldingProxy(harness.media.endpoint, /\/piece-\d+\.[^/]+\/.*\.m4s/);
    const frozen = await harness.startWorker({ S3_ENDPOINT: proxy.endpoint });
    const video = await uploadSource(harness, join(folder, 'clip.mp4'));
    const { videoId } = video;
    await requestInspect(harness, video);
    await waitForTerminalEvent(harness, videoId, 'inspect');
    await requestEncode(harness, video);
    await until(() => proxy.count() > 0, { what: 'a segment of a piece is being uploaded' });
    frozen.process.kill('SIGSTOP');
    try {
      await harness.startWorker();
      const { payload } = await waitForTerminalEvent(harness, videoId, 'encode');
      await purgeLosers(harness, videoId);
      const prefix = `videos/${videoId}/1/`;
      const stored = async (): Promise<string[]> =>
        (await harness.keys(videoId)).map((key) => key.slice(prefix.length));
      const named = await filesOf(harness, prefix, String(payload['ladderKey']).slice(prefix.length));
      expect(foldersOf(await stored())).to.deep.equal(foldersOf(named));
      proxy.release();
      const late = async (): Promise<boolean> => foldersOf(await stored()).length > foldersOf(named).length;
      await until(late, { what: 'the late upload is stored' });
      frozen.process.kill('SIGCONT');
      const isSwept = async (): Promise<boolean> => {
        const text = `SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND name LIKE '%final-sweep-%' AND state = 'done'`;
        return (await harness.pool.query(text, [videoId])).rowCount === 1;
      };
      await until(isSwept, { what: 'the final sweep' });
      expect(foldersOf(await stored())).to.deep.equal(foldersOf(named));
      expect(await stored()).to.include.members(named);
    } finally {
      frozen.process.kill('SIGCONT');
      proxy.close();
    }
  });
});
