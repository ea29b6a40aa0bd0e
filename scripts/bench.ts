/**
 * Benchmarks, as ratios measured in one run on the real stack.
 *   npm run bench -- pipeline   POST → ready and the encode stage beside one bare ffmpeg run of the same ladder
 *   npm run bench -- live       three minutes of 1080p over a slow and a fast line, on one and two workers: POST → ready
 *                               beside the least that it can take, when its beginning can be watched, bytes read
 *   npm run bench -- api        POST and GET a second beside a bare Express and pg handler with the same statements
 *   npm run bench -- playback   segments and playlists by playback alone and behind the edge, beside two kinds of nginx
 *   npm run bench -- idle       memory of every idle service, and of ingest with a large file; 202 → fetch when idle
 *   npm run bench -- captions [speech|translation|noise]   word errors, seconds of processor and cue times per engine and
 *                               language; seconds of translation; words that engines invent where nobody speaks
 *   npm run bench -- search [quality | speed [documents …] [--minutes 25]]
 *                               nDCG@10 of words alone and with meaning; wall and processor time of search, feed and
 *                               recommendations, reindexed documents a second, over many documents
 *   npm run bench -- metadata moments [simulated]
 *                               precision@10 and recall of key moments in made games; processor seconds a minute of video
 *   npm run bench -- recommend  a simulated year of viewers: hit rate@10 of recommendations beside words alone
 *   npm run bench -- views [files|clickhouse]
 *                               300,000 reports of views while analytics is killed and NATS restarted
 */
import { benchApi } from './bench/api.ts';
import { benchCaptions } from './bench/captions/captions.ts';
import { benchIdle } from './bench/idle.ts';
import { benchLive } from './bench/live.ts';
import { benchMoments } from './bench/metadata/moments.ts';
import { benchPipeline } from './bench/pipeline.ts';
import { benchPlayback } from './bench/playback/playback.ts';
import { benchRecommend } from './bench/recommend/recommend.ts';
import { benchSearch } from './bench/indexer/search.ts';
import { benchViews } from './bench/views-under-faults.ts';
import { print } from '@vds/testkit/servers/progress';
import { runCommand } from '@vds/testkit/servers/run-command';

const [name = '', ...rest] = process.argv.slice(2);
const [part] = rest;
const benches: Readonly<Record<string, () => Promise<void>>> = {
  pipeline: benchPipeline,
  live: benchLive,
  api: benchApi,
  playback: benchPlayback,
  idle: benchIdle,
  captions: () => benchCaptions(part),
  search: () => benchSearch(rest),
  metadata: () => benchMoments(rest),
  recommend: benchRecommend,
  views: () => benchViews(part),
};

const bench = benches[name];
if (bench === undefined) {
  print(`Which bench? One of: ${Object.keys(benches).join(', ')}.`);
  process.exitCode = 2;
} else {
  await runCommand(bench);
}
