/** A stack whose stores a test may roll back, and the operator who repairs it as deploy/guide/restore.md says. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openObjects, type Objects } from '@vds/chassis/objects/objects';
import type { BucketRole, ServiceName } from '@vds/deploy-tools/services';
import { serveSlowly } from '@vds/testkit/origin/routes';
import { readServers } from '@vds/testkit/servers/servers-file';
import { removeServers, up } from '@vds/testkit/servers/up';
import { until } from '@vds/testkit/until';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import { spokenClip } from '../chaos/short-clips.ts';
import { walkTracks } from '../hls/tracks.ts';
import { walkHls } from '../hls/walk.ts';
import { documentsOf, leftoversOf } from '../probes/leftovers.ts';
import { appsOf, bare } from './apps-client.ts';
import { openHost, type HostTarget } from './host/host.ts';
import type { Partner } from './partner-client.ts';

type Found = {
  readonly kind: string;
  readonly owner: string;
  readonly video_id: string;
  readonly repaired: boolean;
};
export type RestoreStack = Awaited<ReturnType<typeof openRestoreStack>>;
type Run = { readonly code: number; readonly out: string; readonly err: string };

/** Starts the stack with its own NATS server, in `serversDir`, where further servers may be started. */
export async function openRestoreStack() {
  await using opened = new AsyncDisposableStack();
  const serversDir = await mkdtemp(join(tmpdir(), 'vds-restore-'));
  opened.defer(() => removeServers(serversDir));
  const { nats } = await up(serversDir, { which: ['nats'] });
  const [target, clip] = await Promise.all([
    openHost({
      suffix: 'restore',
      servers: { ...readServers(), nats },
      env: { captions: { CAPTION_LANGUAGES: 'en,es,fr' }, indexer: { TIME_SCALE: 'sweepEvery=1s' } },
    }),
    spokenClip(),
  ]);
  opened.defer(target.close);
  const partner = await target.newPartner('Restores');
  const apps = appsOf(target.stack);
  opened.defer(apps.close);
  const operator = operatorOf(target);
  const open = opened.move();
  return {
    ...{ target, partner, serversDir, clip },
    ...operator,
    ...videosOf(target, partner, apps, clip),
    /** A bucket with the account of its server's operator. */
    bucket: (role: BucketRole) => openBucket(target, role),
    /** Stops services, puts their databases back, and starts them again. */
    putBack: async (services: readonly ServiceName[], restore: () => Promise<void>): Promise<void> => {
      const starts = await Promise.all(services.map((service) => target.site.end(service)));
      await restore();
      await Promise.all(starts.map((start) => start()));
    },
    close: () => open.disposeAsync(),
  };
}

function operatorOf({ stack, scratch }: HostTarget) {
  const run = async (...args: readonly string[]): Promise<Run> => {
    const [out, err]: [string[], string[]] = [[], []];
    const io = {
      environment: { USER: 'test' },
      out: (text: string) => void out.push(text),
      err: (text: string) => void err.push(text),
    };
    const code = await vdsctl([...args, '--env', join(stack.dir, 'vdsctl.env')], io);
    return { code, out: out.join('\n'), err: err.join('\n') };
  };
  /** Its exit code is 4 while anything is left. */
  const reconcile = async (...options: readonly string[]): Promise<{ code: number; findings: readonly Found[] }> => {
    const { code, out } = await run('reconcile', '--json', ...options);
    const { findings } = JSON.parse(out === '' ? '{"findings":[]}' : out) as { findings: readonly Found[] };
    return { code, findings };
  };
  const repair = (...options: readonly string[]) => reconcile('--repair', '--reason', 'a restore', ...options);
  return {
    ...{ vdsctl: run, reconcile, repair },
    /** Repeats the repair, as the guide says, until a comparison finds nothing. */
    settle: async (...options: readonly string[]): Promise<void> => {
      const begun = performance.now();
      const isSettled = async (): Promise<boolean> => {
        if ((await reconcile(...options)).code === 0) return true;
        await repair(...options);
        return false;
      };
      await until(isSettled, { what: 'nothing is left to repair', capMs: 240_000, everyMs: 1_000 });
      console.log(`      nothing left to repair after ${Math.round((performance.now() - begun) / 1_000)} s`);
    },
    /** As the guide says, after a dry run. */
    reapply: async (copy: string): Promise<void> => {
      const options = ['reapply', copy, '--reason', 'a restore'];
      // Connections that this process has to a restarted service are tried again only after a pause.
      const isPossible = async (): Promise<boolean> => (await run(...options, '--dry-run')).code === 0;
      await until(isPossible, { what: 'a dry run of reapply', capMs: 30_000, everyMs: 250 });
      const { code, err } = await run(...options);
      expect(code, err).to.equal(0);
    },
    /** The copy of the audit that the guide has an operator keep; returns its file. */
    copyAudit: async (since: string): Promise<string> => {
      const { code, out, err } = await run('audit', '--all', '--json', '--since', since);
      expect(code, err).to.equal(0);
      const file = scratch(`audit-${Date.now()}.json`);
      await writeFile(file, out);
      return file;
    },
  };
}

function videosOf(target: HostTarget, partner: Partner, apps: ReturnType<typeof appsOf>, clip: string) {
  const tracksSettled = (id: string) =>
    until(
      async () => {
        const { captions = [] } = await partner.get(id);
        return captions.length > 0 && captions.every((track) => track.status !== 'processing');
      },
      { what: `the end of every track of ${id}`, capMs: 60_000 },
    );
  /** Late events, such as topics of the transcript, would be newer than a copy taken before them. */
  const stagesEnded = (id: string) =>
    until(
      async () => {
        const { rows } = await target.stack
          .adminPool('catalog')
          .query("SELECT 1 FROM stages WHERE video_id = $1 AND state IN ('requested', 'started')", [bare(id)]);
        return rows.length === 0;
      },
      { what: `the end of every stage of ${id}`, capMs: 60_000 },
    );
  return {
    publish: async (title: string): Promise<string> => {
      const id = await partner.submit(await target.serve(clip), { title });
      const { status, failure } = await partner.settled(id, 120_000);
      expect(status, JSON.stringify(failure)).to.equal('ready');
      await tracksSettled(id);
      await stagesEnded(id);
      return id;
    },
    /** Submits a video that is fetched at this many bytes a second. */
    submitSlowly: (title: string, bytesPerSecond: number): Promise<string> => {
      const path = `/${title.replaceAll(/\W/g, '-')}.mkv`;
      target.origin.route(path, serveSlowly(clip, bytesPerSecond));
      return partner.submit(target.origin.url(path), { title });
    },
    tracksSettled,
    /** Ready, playable to its end with every track, and found. */
    isWhole: async (id: string, title: string): Promise<void> => {
      const { status, failure, playback } = await partner.settled(id, 120_000);
      expect(status, JSON.stringify(failure)).to.equal('ready');
      await tracksSettled(id);
      const { captions = [] } = await partner.get(id);
      const url = `${playback?.hls_url}?token=${await target.mint(playback?.playback_id ?? '')}`;
      // Connections to a restarted catalog are tried again only after a pause; until then viewers get 503 and retry.
      const isServed = async (): Promise<boolean> => (await fetch(url)).status !== 503;
      await until(isServed, { what: 'playback reaches catalog', capMs: 30_000 });
      expect((await walkHls(url, target.scratch(`${id}-${Date.now()}`))).breaches).to.deep.equal([]);
      const { tracks, breaches } = await walkTracks(url);
      expect(breaches).to.deep.equal([]);
      const made = captions.filter((track) => track.status === 'ready').map(({ language }) => language);
      expect(tracks.map(({ language }) => language)).to.have.members(made);
      expect(made).to.include('en');
      await until(() => apps.finds(title, id), { what: `${title} is found`, capMs: 30_000 });
      const inFeed = async (): Promise<boolean> =>
        (await apps.feed({ limit: 50 })).items.some(({ videoId }) => videoId === bare(id));
      await until(inFeed, { what: `${title} is in the feed`, capMs: 30_000 });
    },
    isGone: async (id: string): Promise<void> => {
      await until(async () => (await leftoversOf(target.site, id)).length === 0, {
        what: 'no object is left',
        capMs: 60_000,
      });
      await until(async () => (await documentsOf(target.site, id)).length === 0, { what: 'no document is left' });
    },
  };
}

export function kindsOf(findings: readonly Found[], id: string): string[] {
  return findings.filter(({ video_id: videoId }) => videoId === bare(id)).map(({ kind }) => kind);
}

function openBucket({ site }: HostTarget, role: BucketRole): Objects {
  const { endpoint, region, rootAccessKey, rootSecretKey } = site.servers.s3;
  const config = { s3Endpoint: endpoint, s3Region: region, s3AccessKey: rootAccessKey, s3SecretKey: rootSecretKey };
  return openObjects(config, site.buckets[role]);
}
