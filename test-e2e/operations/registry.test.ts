/** A release installed from its registry alone, by the commands of the page on installation, from an empty folder. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { smallSample } from '@vds/testkit/media/make-samples';
import { find } from '@vds/testkit/servers/command';
import { skipBecause } from '@vds/testkit/skip';
import { attempt, command, root } from '../harness/cluster/command.ts';
import { openForward, type Forward } from '../harness/cluster/forward.ts';
import { hostAddress } from '../harness/cluster/host-address.ts';
import { images } from '../harness/cluster/images.ts';
import { kubectl, podsOf, release } from '../harness/cluster/release.ts';
import { partnerOf } from '../harness/partner-client.ts';
import { openSource, type Source } from '../harness/source.ts';
import { targetKind } from '../harness/target-kind.ts';
import { probeStream } from '../hls/probe.ts';
import { walkHls } from '../hls/walk.ts';

const registry = process.env['VDS_REGISTRY'] ?? '';
/** A `config.json` of docker with a login; without it the registry asks for none. */
const login = process.env['VDS_REGISTRY_LOGIN'];
/** Values files of vds-devdeps with the servers' images, if these are not docker.io's. */
const servers = process.env['VDS_SERVERS_VALUES'];
const verification = process.env['VDS_COSIGN_VERIFY'];
const programs = ['helm', 'kubectl', 'cosign'];

describe('a release from a registry', function () {
  this.timeout(2_400_000);
  const folder = mkdtempSync(join(tmpdir(), 'vds-registry-'));
  const opened = new AsyncDisposableStack();
  let source: Source;
  before(async function () {
    if (targetKind() === 'host') return skipBecause(this, 'needs a cluster: VDS_TARGET=cluster');
    if (registry === '')
      return skipBecause(this, 'VDS_REGISTRY names no repository with the images and charts of a release');
    if (await exists('namespace', release.namespace))
      return skipBecause(this, `VDS_NAMESPACE must not exist yet: ${release.namespace}`);
    if (login !== undefined && (await exists('secret', 'registry')))
      return skipBecause(this, 'the Secret registry of the namespace default belongs to somebody');
    source = await openSource({ address: await hostAddress() });
    opened.defer(source.close);
    opened.defer(uninstall);
  });
  after(async () => {
    await opened.disposeAsync();
    rmSync(folder, { recursive: true });
  });

  /** In the folder, with nothing of the repository on its path. */
  const shell = (script: string): string => {
    const path = join(folder, 'bin');
    mkdirSync(path, { recursive: true });
    const links = programs.map((name) => `ln -sf ${find(name) ?? name} ${path}/`).join('; ');
    const PATH = `${path}:/usr/bin:/bin`;
    const env = {
      ...process.env,
      PATH,
      HOME: folder,
      ...(login !== undefined && { DOCKER_CONFIG: join(login, '..') }),
    };
    const ran = spawnSync('bash', ['-euxo', 'pipefail', '-c', `${links}\n${script}`], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    expect(ran.status, `${ran.stdout}\n${ran.stderr}`.slice(-6_000)).to.equal(0);
    return ran.stdout;
  };

  it('images and charts of a release carry the signature of whom it is said to be', function () {
    if (verification === undefined)
      return skipBecause(this, 'VDS_COSIGN_VERIFY does not say by which key or identity (options of cosign verify)');
    const charts = ['vds', 'vds-devdeps'].map((name) => `${registry}/charts/${name}:${images.tag}`);
    shell(`helm pull oci://${registry}/charts/vds --version ${images.tag} --untar --untardir verified`);
    const values = readFileSync(join(folder, 'verified/vds/values.yaml'), 'utf8');
    const named = [...values.matchAll(/^ {4}(app|media|migrate): (sha256:\w+)$/gm)];
    expect(named).to.have.lengthOf(3);
    for (const signed of [...charts, ...named.map(([, name, digest]) => `${registry}/${name}@${digest}`)])
      shell(`cosign verify ${verification} ${signed}`);
  });

  it('the commands of the page for whoever has no checkout install a release, and its test passes', async () => {
    writeFileSync(join(folder, 'vds.yaml'), JSON.stringify(valuesOf(source)));
    const given = (servers?.split(',') ?? []).map((file) => parse(readFileSync(resolve(root, file), 'utf8')) as object);
    const pullSecrets = login === undefined ? [] : ['registry'];
    writeFileSync(
      join(folder, 'deps.yaml'),
      JSON.stringify({ ...Object.assign({}, ...given), provision: undefined, pullSecrets }),
    );
    writeFileSync(join(folder, 'origin.crt'), readFileSync(source.origin.caFile));
    expect(shell(installation())).to.contain('0 failed');
    const names = (await podsOf('transcode')).flatMap(({ status }) => status.containerStatuses ?? []);
    expect(names.map(({ imageID }) => imageID.split('@')[0])).to.deep.equal([`${registry}/media`]);
  });

  it('a video that a partner of such a release submits plays, in every rung to its last picture', async () => {
    const [gateway, playback] = await Promise.all([forwardTo('gateway'), forwardTo('playback')]);
    const [publisher] = /pub_\w+/.exec(await vdsctl('publisher', 'create', 'A league', '--organization', 'A')) ?? [''];
    const { secret_key: key } = JSON.parse(await vdsctl('key', 'issue', publisher, '--json')) as { secret_key: string };
    const partner = partnerOf(`http://127.0.0.1:${gateway.port}`, key);
    const id = await partner.submit(await source.serve(await smallSample()));
    expect((await partner.settled(id, 900_000)).status).to.equal('ready');
    const [address = ''] = /https?:\S+token=\S+/.exec(await vdsctl('token', 'mint', id)) ?? [];
    const { pathname, search } = new URL(address);
    const { rungs, breaches } = await walkHls(
      `http://127.0.0.1:${playback.port}${pathname}${search}`,
      join(folder, 'hls'),
    );
    expect(breaches).to.deep.equal([]);
    expect(rungs).to.not.be.empty;
    for (const { file, seconds } of rungs)
      expect((await probeStream(file, 'v'))?.seconds, basename(file)).to.be.closeTo(seconds, 0.1);
  });

  async function forwardTo(component: string): Promise<Forward> {
    const forward = await openForward(`svc/${release.name}-${component}`, 8080);
    opened.defer(forward.close);
    return forward;
  }
});

/** The commands of the page, with this registry, namespace and values. */
function installation(): string {
  const page = readFileSync(join(root, 'deploy/guide/install.md'), 'utf8');
  const [, block = ''] = /^### Without a checkout$[^]*?^```sh\n([^]*?)^```$/m.exec(page) ?? [];
  const pullSecret = ['default', release.namespace].map(
    (namespace) =>
      `kubectl --namespace ${namespace} create secret generic registry --type kubernetes.io/dockerconfigjson --from-file .dockerconfigjson=${login}`,
  );
  const overrides = JSON.stringify({ spec: { imagePullSecrets: [{ name: 'registry' }] } });
  const lines = block
    .trim()
    .replaceAll('1.0.0', images.tag)
    .replaceAll(/namespace video/g, `namespace ${release.namespace}`)
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('repository=')) return [`repository=${registry}`];
      if (line.startsWith('helm install')) return [`${line} --values ${line.split(' ')[2]}.yaml`];
      if (line.startsWith('kubectl create namespace'))
        return [
          line,
          `kubectl --namespace ${release.namespace} create configmap origin --from-file ca.crt=origin.crt`,
          ...(login === undefined ? [] : pullSecret),
        ];
      return [login === undefined ? line : line.replace(/^kubectl run .*?(?= -- )/, `$& --overrides '${overrides}'`)];
    });
  return lines.join('\n');
}

function valuesOf({ origin, privateSources }: Source): object {
  return {
    ...(login !== undefined && { image: { pullSecrets: ['registry'] } }),
    ingest: { privateSources, dnsServers: [origin.dnsServer], caConfigMap: 'origin' },
    toolbox: { enabled: true },
  };
}

function vdsctl(...words: string[]): Promise<string> {
  const audit = words[0] === 'token' ? [] : ['--actor', 'tests', '--reason', 'tests'];
  return kubectl(['exec', `deploy/${release.name}-toolbox`, '--', 'vdsctl', ...words, ...audit]);
}

/** Whether the cluster has it; what belongs to a namespace is looked for in `default`. */
async function exists(kind: string, name: string): Promise<boolean> {
  const found = await command('kubectl', [
    'get',
    kind,
    name,
    '--namespace',
    'default',
    '--ignore-not-found',
    '--output',
    'name',
  ]);
  return found.trim() !== '';
}

async function uninstall(): Promise<void> {
  for (const name of [release.name, release.servers])
    await attempt('helm', ['uninstall', name, '--namespace', release.namespace, '--wait']);
  // Its log has every Secret of the release.
  await attempt('kubectl', ['delete', 'pod', 'secrets', '--namespace', 'default', '--ignore-not-found']);
  if (login !== undefined) await attempt('kubectl', ['--namespace', 'default', 'delete', 'secret', 'registry']);
  await command('kubectl', ['delete', 'namespace', release.namespace, '--ignore-not-found']);
}
