/** `vdsctl completion`: a script for the shell, made from the verbs and options of the program itself. */
import { Argument, type Command, type Option } from 'commander';
import type { CliIo } from './verb.ts';

/** What may come next after each path of verbs, and after an option that takes one of a few values. */
type Words = ReadonlyMap<string, readonly string[]>;

/** Adds the verb to the program, which has all others already. */
export function addCompletionVerb(program: Command, { out }: CliIo): void {
  program
    .command('completion')
    .description('print a script that completes verbs and options')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
    .addHelpText(
      'after',
      `
bash: source <(vdsctl completion bash)
zsh:  source <(vdsctl completion zsh)
Add the line to ~/.bashrc or ~/.zshrc to have it in every shell.`,
    )
    .action((shell: string) => {
      const words = wordsOf(program, '', program.options);
      out(`${lookUp(words)}\n${shell === 'bash' ? BASH : ZSH}`);
    });
}

function wordsOf(command: Command, path: string, inherited: readonly Option[]): Words {
  const options = [...command.options.filter((option) => !inherited.includes(option)), ...inherited];
  const verbs = command.commands.map((inner) => inner.name());
  const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const own: [string, readonly string[]][] = [
    [path, [...verbs, ...values, ...options.map(nameOf), '--help']],
    ...options.flatMap((option): [string, readonly string[]][] =>
      option.argChoices ? [[`${path} ${nameOf(option)}`, option.argChoices]] : [],
    ),
  ];
  const inner = command.commands.flatMap((one) => [...wordsOf(one, `${path} ${one.name()}`, inherited)]);
  return new Map([...own, ...inner]);
}

function nameOf({ long, short }: Option): string {
  return long ?? short ?? '';
}

/** A function of the shell: prints the words for a path; fails for a path that is none. */
function lookUp(words: Words): string {
  const cases = [...words].map(([path, next]) => `    '${path}') echo '${next.join(' ')}' ;;`);
  return `# Completion for vdsctl; it asks no service.
_vdsctl_words() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
# The path of verbs in the words before the cursor; with the option at its end where that one takes one of a few values.
_vdsctl_path() {
  local at='' word=''
  for word in "$@"; do
    case "$word" in -*) continue ;; esac
    if _vdsctl_words "$at $word" >/dev/null; then at="$at $word"; fi
  done
  for word in "$@"; do :; done
  if _vdsctl_words "$at $word" >/dev/null; then at="$at $word"; fi
  printf %s "$at"
}`;
}

const BASH = `_vdsctl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path
  if [ "\${COMP_WORDS[COMP_CWORD-1]}" = --env ]; then COMPREPLY=($(compgen -f -- "$current")); return; fi
  path="$(_vdsctl_path "\${COMP_WORDS[@]:1:COMP_CWORD-1}")"
  COMPREPLY=($(compgen -W "$(_vdsctl_words "$path")" -- "$current"))
}
complete -F _vdsctl vdsctl`;

const ZSH = `_vdsctl() {
  if [[ "\${words[CURRENT-1]}" = --env ]]; then _files; return; fi
  local at="$(_vdsctl_path "\${(@)words[2,CURRENT-1]}")"
  compadd -- \${=$(_vdsctl_words "$at")}
}
compdef _vdsctl vdsctl`;
