/**
 * POST → ready of one partner's clip while another partner's 200 slow, huge and broken sources wait and run, compared
 * with the same clip on the idle stack, in one run: 80 that send 100 kB a second, 40 of 60 s of 1080p, 40 that send a
 * gigabyte of nothing, and 40 that are cut, empty, a page or an error.
 */
import { basename } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { LARGEST_LIMITS } from '@vds/testkit/stack/operator';
import { partnerAt, type Partner } from '@vds/testkit/stack/partner';
import { cached, ffmpeg } from '@vds/testkit/media/render';
import { answerStatus, emptyFile, htmlPage, serveSlowly, truncated, type Route } from '@vds/testkit/origin/routes';
import { step } from '@vds/testkit/servers/progress';
import { until } from '@vds/testkit/until';
import { withStack, type BenchStack } from '@vds/testkit/stack/with-stack';

const RECIPE = [
  ...['-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:r=30', '-f', 'lavfi', '-i', 'sine=330:r=48000', '-t', '60'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '60', '-c:a', 'aac'],
  ...['-movflags', '+faststart'],
];
const GIGABYTE = 1e9;

export async function benchNeighbour(): Promise<void> {
  const clip = await step('clip: 60 s of 1080p', () =>
    cached('bench-1080p-plain', 'mp4', RECIPE, (path) => ffmpeg([...RECIPE, path])),
  );
  await withStack({}, async (bench) => {
    const greedy = await newPartner(bench, 'Greedy');
    const neighbour = await newPartner(bench, 'Neighbour');
    const address = bench.origin.url(`/${basename(clip)}`);
    const idle = await step('POST → ready, idle', () => secondsToReady(neighbour, address));
    await step('200 sources of another partner', () => submitAll(bench, greedy, clip));
    const beside = await step('POST → ready beside them', () => secondsToReady(neighbour, address));
    const ratio = (beside / idle).toFixed(2);
    console.log(`POST → ready ${idle.toFixed(1)} s idle, ${beside.toFixed(1)} s beside = ${ratio} × (bar 2)`);
  });
}

async function newPartner({ stack, operator }: BenchStack, name: string): Promise<Partner> {
  const publisher = await operator.publisher(name, name);
  return partnerAt(stack.url('gateway'), await operator.key(publisher, LARGEST_LIMITS));
}

async function secondsToReady(partner: Partner, address: string): Promise<number> {
  const { id } = await partner.submit({ source_url: address, title: 'Neighbour' });
  let record = await partner.read(id);
  const ended = async (): Promise<boolean> => {
    record = await partner.read(id);
    return record.status !== 'processing';
  };
  await until(ended, { capMs: 900_000, everyMs: 500, what: 'the video' });
  if (record.status !== 'ready') throw new Error(`the video is ${record.status}: ${record.failure?.message}`);
  return (Date.parse(record.updated_at ?? '') - Date.parse(record.created_at)) / 1_000;
}

async function submitAll({ origin }: BenchStack, partner: Partner, clip: string): Promise<void> {
  const broken = [truncated(clip), emptyFile(), htmlPage(), answerStatus(500)];
  const kinds: readonly (readonly [count: number, route: (index: number) => Route])[] = [
    [80, () => serveSlowly(clip, 100_000)],
    [40, () => serveSlowly(clip, GIGABYTE)],
    [40, () => endlessZeros],
    [40, (index) => broken[index % broken.length] ?? htmlPage()],
  ];
  const routes = kinds.flatMap(([count, route]) => Array.from({ length: count }, (_, index) => route(index)));
  for (const [index, route] of routes.entries()) {
    origin.route(`/greedy-${index}.mp4`, route);
    await partner.submit({ source_url: origin.url(`/greedy-${index}.mp4`), title: `Greedy ${index}` });
  }
}

/** A gigabyte behind the signature of an mp4. */
const endlessZeros: Route = (_request, response) => {
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': GIGABYTE });
  // A reader that leaves is what is expected of it.
  pipeline(Readable.from(gigabyte()), response, () => {});
};

function* gigabyte(): Generator<Buffer> {
  const zeros = Buffer.alloc(1_000_000);
  zeros.write('00000018667479706d70343200000000', 'hex');
  for (let sent = 0; sent < GIGABYTE; sent += zeros.length) yield zeros;
}
