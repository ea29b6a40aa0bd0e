/** The page on installation as a script: its commands in order, and the files that it shows. */

export type InstallPage = {
  readonly commands: readonly string[];
  /** Content by name: blocks of YAML whose first line is `# <name>`. */
  readonly files: ReadonlyMap<string, string>;
};

/** What only a cluster, a server, a registry or the Internet can answer. */
const needsOthers = /\b(?:kubectl|psql|curl|aws|helm test|npm run images)\b/;

/** @param section heading of the part of the page to read */
export function readInstallPage(text: string, section: string): InstallPage {
  const [, part = ''] = text.split(`\n## ${section}\n`);
  const blocks = [...(part.split('\n## ')[0] ?? '').matchAll(/^```(sh|yaml)\n([^]*?)^```$/gm)];
  const ofKind = (kind: string): string[] => blocks.flatMap(([, of, block = '']) => (of === kind ? [block] : []));
  return {
    commands: ofKind('sh').flatMap((block) =>
      block
        .trim()
        .replaceAll(/\\\n\s*/g, '')
        .split('\n'),
    ),
    files: new Map(ofKind('yaml').map((block) => [/^# (\S+)\n/.exec(block)?.[1] ?? 'without a name', block])),
  };
}

/**
 * A script for bash that runs the commands which need only the repository: `helm install` as `helm template` with the
 * arguments $CLUSTER, into ~/<release>.yaml; provisioning until it would need the server.
 */
export function scriptOf({ commands }: InstallPage): string {
  const lines = commands.filter((command) => !needsOthers.test(command)).map(runnable);
  return ['set -euo pipefail', ...lines].join('\n');
}

function runnable(command: string): string {
  const install = /^helm install (\S+) (\S+) (.*) --wait --timeout \S+$/.exec(command);
  if (install) return `"$HELM" template ${install[1]} ${install[2]} $CLUSTER ${install[3]} > ~/${install[1]}.yaml`;
  return /\bprovision$/.test(command) ? `if WAIT=1s ${command} &> ~/provision.txt; then exit 9; fi` : command;
}
