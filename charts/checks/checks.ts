/** Every check of the charts, one line per check. They share the renders: each values file is rendered once. */
import { messageOf } from '@vds/chassis/errors';
import { find } from '@vds/testkit/servers/command';
import { verdict, type Check, type Outcome } from './outcome.ts';
import { ToolMissing, type Tools } from './tools.ts';
import { docsFaults, writeDocs } from './docs.ts';
import { checkEnvironment } from './environment.ts';
import { acceptGolden, goldenFaults } from './golden.ts';
import { checkLinter } from './kube-linter.ts';
import { checkScore } from './kube-score.ts';
import { checkSchemas } from './kubectl-validate.ts';
import { lintFaults } from './lint.ts';
import { checkRejections } from './rejections.ts';
import { checkNetwork } from './network/check.ts';
import { inLanes, releasesOf, renderAll, renderText, type Rendered } from './release.ts';
import { manifestFaults, sourceFaults } from './rules/all.ts';
import { checkUnusual } from './unusual.ts';

/** The checks of the charts. */
export function chartChecks(root: string, tools: Tools): Check[] {
  const renders = once(async () => await renderAll(root, await tools.path('helm')));
  return [
    where('helm-lint', async () => {
      const all = releasesOf(root);
      return verdict(await lintFaults(root, await tools.path('helm'), all), releases(all.length));
    }),
    where('golden', async () => {
      const all = await renders();
      return verdict(await goldenFaults(root, all), releases(all.length));
    }),
    where('environment', async () => {
      const all = await renders();
      return verdict(await checkEnvironment(root, all), releases(all.length));
    }),
    where('manifests', async () => verdict([...sourceFaults(root), ...manifestFaults(await renders())])),
    where('network', async () => {
      const { count, faults } = checkNetwork(root, await renders());
      return verdict(faults, `${count} releases, path by path against the tables`);
    }),
    where('rejections', async () => {
      const { count, faults } = await checkRejections(root, await tools.path('helm'));
      return verdict(faults, `${count} wrong values`);
    }),
    where('unusual', async () => {
      const { count, faults } = await checkUnusual(root, await tools.path('helm'));
      return verdict(faults, `${count} unusual values`);
    }),
    ...toolChecks(root, tools, renders),
  ];
}

/** A lazily computed value that several checks share. */
function once<Out>(make: () => Promise<Out>): () => Promise<Out> {
  let made: Promise<Out> | undefined;
  return async () => await (made ??= make());
}

/** Skipped with a reason if a program is missing; any other error is a failure. */
function where(name: string, work: () => Promise<Outcome>): Check {
  return {
    name,
    run: async () => {
      try {
        return await work();
      } catch (error) {
        return { state: error instanceof ToolMissing ? 'skipped' : 'failed', detail: messageOf(error) };
      }
    },
  };
}

function releases(count: number): string {
  return `${count} values files`;
}

function toolChecks(root: string, tools: Tools, renders: () => Promise<readonly Rendered[]>): Check[] {
  return [
    where('helm3', async () => {
      const helm3 = await tools.path('helm3');
      const all = await renders();
      return verdict(await helm3Faults(root, helm3, all), `lints ${releases(all.length)} and renders the same text`);
    }),
    where('kube-schema', async () => {
      const tool = await tools.path('kubectl-validate');
      const { count, skippedKinds, faults } = await checkSchemas(root, tool, await renders());
      const skipped = skippedKinds.length > 0 ? `; no schemas here for ${skippedKinds.join(', ')}` : '';
      return verdict(faults, `${count} resources${skipped}`);
    }),
    where('kube-score', async () => verdict(await checkScore(root, await tools.path('kube-score'), await renders()))),
    where('kube-linter', async () => {
      const tool = find('kube-linter');
      if (tool === null) throw new ToolMissing('kube-linter is not on PATH, and no package registry has it');
      return verdict(await checkLinter(root, tool, await renders()));
    }),
    where('chart-docs', async () => verdict(await docsFaults(root, await tools.path('helm-docs')))),
  ];
}

/** Helm 3 lints what Helm 4 lints, and renders the same text. */
async function helm3Faults(root: string, helm3: string, renders: readonly Rendered[]): Promise<string[]> {
  const all = renders.map(({ release }) => release);
  const texts = await inLanes(all, 2, async (release) => ({ release, text: await renderText(root, helm3, release) }));
  return [...(await lintFaults(root, helm3, all)), ...(await goldenFaults(root, texts))];
}

/** Rewrites the golden renders and the charts' READMEs. */
export async function acceptCharts(root: string, tools: Tools): Promise<void> {
  acceptGolden(root, await renderAll(root, await tools.path('helm')));
  await writeDocs(root, await tools.path('helm-docs'));
}
