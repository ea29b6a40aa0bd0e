/**
 * Benchmarks, as ratios measured in one run on the real stack.
 *   npm run bench -- pipeline   POST → ready and the encode stage beside one bare ffmpeg run of the same ladder
 *   npm run bench -- pieces     six minutes of 1080p on two transcode processes, beside one bare ffmpeg run
 *   npm run bench -- live       three minutes of 1080p over a slow and a fast line, on one and two workers: POST → ready
 *                               beside the least that it can take, when its beginning can be watched, bytes read
 *   npm run bench -- ladder     quality, bits and processor time of the encoder's presets and qualities on the clips in
 *                               VDS_MEDIA_DIR; the knees of their curves
 *   npm run bench -- api        POST and GET a second beside a bare Express and pg handler with the same statements
 *   npm run bench -- writes     archive, republish and DELETE beside GET: processor time, and failures at 16 at a time
 *   npm run bench -- contract   CPU time of every hostile request; whether timing reveals another's video or key
 *   npm run bench -- idle       memory of every idle service, and of ingest with a large file; 202 → fetch when idle
 *   npm run bench -- captions [speech|translation|noise]   word errors, seconds of processor and cue times per engine and
 *                               language; seconds of translation; words that engines invent where nobody speaks
 *   npm run bench -- neighbour  POST → ready of one partner beside 200 slow, huge and broken sources of another
 *   npm run bench -- search     nDCG@10 of search beside a plain multi_match; p95 of search and feed over many documents
 *   npm run bench -- views [files|clickhouse|history]
 *                               300,000 reports of views while analytics is killed and NATS restarted; seconds by view
 *                               over a million events
 */
import { benchApi } from './bench/api.ts';
import { benchCaptions } from '@vds/captions/bench/captions';
import { benchContract } from './bench/contract.ts';
import { benchIdle } from './bench/idle.ts';
import { benchLadder } from './bench/ladder.ts';
import { benchLive } from './bench/live.ts';
import { benchNeighbour } from './bench/neighbour.ts';
import { benchPieces } from '@vds/transcode/bench/pieces';
import { benchPipeline } from './bench/pipeline.ts';
import { benchSearch } from '@vds/indexer/bench/search';
import { benchViews } from './bench/views.ts';
import { benchWrites } from './bench/writes.ts';
import { print } from '@vds/testkit/servers/progress';
import { runCommand } from '@vds/testkit/servers/run-command';

const [name = '', part] = process.argv.slice(2);
const benches: Readonly<Record<string, () => Promise<void>>> = {
  pipeline: benchPipeline,
  pieces: benchPieces,
  ladder: benchLadder,
  live: benchLive,
  api: benchApi,
  writes: benchWrites,
  contract: benchContract,
  idle: benchIdle,
  captions: () => benchCaptions(part),
  neighbour: benchNeighbour,
  search: benchSearch,
  views: () => benchViews(part),
};

const bench = benches[name];
if (bench === undefined) {
  print(`Which bench? One of: ${Object.keys(benches).join(', ')}.`);
  process.exitCode = 2;
} else {
  await runCommand(bench);
}
