import type { Command, Option } from 'commander';

/*
 * Shell completion. The scripts hold all words: they call no program and no service, so that they answer at once. All
 * words come from the contract and have no character that a shell interprets.
 */

/** The words after a command line of commands, such as `policies lint`. */
type Entry = {
  /** Commands, with a slash in front of each: `/policies/lint`. Empty for `returns` itself. */
  readonly path: string;
  readonly words: readonly string[];
  /** The possible values of an option. */
  readonly values: readonly (readonly [option: string, words: readonly string[]])[];
};

const plainWord = /^[\w.-]+$/;

const namesOf = ({ long }: Option): readonly string[] => (typeof long === 'string' ? [long] : []);

const entriesOf = (command: Command, path: string, inherited: readonly Option[]): readonly Entry[] => {
  const options = [...command.options, ...inherited];
  const values = options.flatMap((option) => {
    const words = (option.argChoices ?? []).filter((word) => plainWord.test(word));
    return words.length === 0 ? [] : namesOf(option).map((name) => [name, words] as const);
  });
  const visible = new Set(command.createHelp().visibleCommands(command));
  // The help command, which commander adds, is none of them.
  const children = command.commands.filter((child) => visible.has(child));
  const argumentWords = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const words = [
    ...children.map((child) => child.name()),
    ...argumentWords,
    ...options.flatMap(namesOf),
    '--help',
  ].filter((word) => plainWord.test(word));
  return [
    { path, words, values },
    ...children.flatMap((child) => entriesOf(child, `${path}/${child.name()}`, inherited)),
  ];
};

const pathsOf = (entries: readonly Entry[]): readonly string[] =>
  entries.map(({ path }) => path).filter((path) => path !== '');

const bash = (entries: readonly Entry[]): string => `# bash completion of returns
_returns() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} trail='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$trail/$word" in
      ${pathsOf(entries).join('|')}) trail="$trail/$word" ;;
    esac
  done
  case "$trail $previous" in
${entries
  .flatMap(({ path, values }) => values.map(([name, words]) => `    '${path} ${name}') words='${words.join(' ')}' ;;`))
  .join('\n')}
    *) case "$trail" in
${entries.map(({ path, words }) => `      '${path}') words='${words.join(' ')}' ;;`).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _returns returns
`;

/** In zsh, \`path\` and \`words\` are special variables. */
const zsh = (entries: readonly Entry[]): string => `#compdef returns
_returns() {
  local trail='' word list=''
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$trail/$word" in
      ${pathsOf(entries).join('|')}) trail="$trail/$word" ;;
    esac
  done
  case "$trail \${words[CURRENT-1]}" in
${entries
  .flatMap(({ path, values }) => values.map(([name, words]) => `    '${path} ${name}') list='${words.join(' ')}' ;;`))
  .join('\n')}
    *) case "$trail" in
${entries.map(({ path, words }) => `      '${path}') list='${words.join(' ')}' ;;`).join('\n')}
    esac ;;
  esac
  compadd -- \${=list}
}
compdef _returns returns
`;

const fish = (entries: readonly Entry[]): string => `# fish completion of returns
function __returns_words
  set -l trail ''
  for word in (commandline -opc)[2..-1]
    switch "$trail/$word"
      case ${pathsOf(entries)
        .map((path) => `'${path}'`)
        .join(' ')}
        set trail "$trail/$word"
    end
  end
  switch "$trail"
${entries.map(({ path, words }) => `    case '${path}'\n      printf '%s\\n' ${words.join(' ')}`).join('\n')}
  end
end
complete -c returns -f -a '(__returns_words)'
`;

const shells = { bash, zsh, fish } as const;
export type Shell = keyof typeof shells;
export const shellNames = Object.keys(shells) as readonly Shell[];

/** Returns the completion script of a shell for all commands of a program. */
export const completionScript = (program: Command, shell: Shell): string =>
  shells[shell](entriesOf(program, '', program.options));
