/** Every check of the charts, one line per check. They share the renders: each values file is rendered once. */
import { messageOf } from '@vds/chassis/errors';
import { outcomeOf, type Check, type Outcome } from './outcome.ts';
import { ToolMissing, type Tools } from './tools.ts';
import { descriptionFaults, writeDescriptions } from './descriptions.ts';
import { docsFaults, writeDocs } from './docs.ts';
import { checkEnvironment } from './environment.ts';
import { acceptGolden, goldenFaults } from './golden/golden.ts';
import { checkScore } from './linters/kube-score.ts';
import { lintFaults } from './linters/helm-lint.ts';
import { checkRejections } from './values/rejections.ts';
import { checkNetwork } from './network/network.ts';
import { concurrently, releasesOf, renderAll, renderText, type Rendered } from './release.ts';
import { manifestFaults, sourceFaults } from './rules/all.ts';
import { checkEveryPod } from './values/every-pod.ts';
import { checkUnusual } from './values/unusual.ts';

/** The checks of the charts. */
export function chartChecks(root: string, tools: Tools): Check[] {
  const renders = once(async () => await renderAll(root, await tools.path('helm')));
  return [
    chartCheck('helm-lint', async () => {
      const all = releasesOf(root);
      return outcomeOf(await lintFaults(root, await tools.path('helm'), all), releases(all.length));
    }),
    chartCheck('golden', async () => {
      const all = await renders();
      return outcomeOf(await goldenFaults(root, all), releases(all.length));
    }),
    chartCheck('environment', async () => {
      const all = await renders();
      return outcomeOf(await checkEnvironment(root, all), releases(all.length));
    }),
    chartCheck('manifests', async () => outcomeOf([...sourceFaults(root), ...manifestFaults(await renders())])),
    chartCheck('network', async () => {
      const { paths, faults } = checkNetwork(root, await renders());
      return outcomeOf(faults, `${paths} paths`);
    }),
    chartCheck('pods', async () => {
      const { count, faults } = await checkEveryPod(root, await tools.path('helm'));
      return outcomeOf(faults, `${count} values`);
    }),
    chartCheck('rejections', async () => {
      const { count, faults } = await checkRejections(root, await tools.path('helm'));
      return outcomeOf(faults, `${count} wrong values`);
    }),
    chartCheck('unusual', async () => {
      const { count, faults } = await checkUnusual(root, await tools.path('helm'));
      return outcomeOf(faults, `${count} unusual values`);
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
function chartCheck(name: string, work: () => Promise<Outcome>): Check {
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
    chartCheck('helm3', async () => {
      const helm3 = await tools.path('helm3');
      const all = await renders();
      return outcomeOf(await helm3Faults(root, helm3, all), `lints ${releases(all.length)} and renders the same text`);
    }),
    chartCheck('kube-score', async () =>
      outcomeOf(await checkScore(root, await tools.path('kube-score'), await renders())),
    ),
    chartCheck('chart-docs', async () =>
      outcomeOf([...(await docsFaults(root, await tools.path('helm-docs'))), ...descriptionFaults(root)]),
    ),
  ];
}

/** Helm 3 lints what Helm 4 lints, and renders the same text. */
async function helm3Faults(root: string, helm3: string, renders: readonly Rendered[]): Promise<string[]> {
  const all = renders.map(({ release }) => release);
  const texts = await concurrently.map(all, async (release) => ({
    release,
    text: await renderText(root, helm3, release),
  }));
  return [...(await lintFaults(root, helm3, all)), ...(await goldenFaults(root, texts))];
}

/** Rewrites the golden renders, the charts' READMEs and the descriptions in their schemas. */
export async function acceptCharts(root: string, tools: Tools): Promise<void> {
  acceptGolden(root, await renderAll(root, await tools.path('helm')));
  await writeDocs(root, await tools.path('helm-docs'));
  await writeDescriptions(root);
}
