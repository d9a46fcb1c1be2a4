import type { CommandEntry } from '../program.ts'
import type { UserCommand } from './user-command.ts'

type NamedCommand = Pick<CommandEntry, 'name' | 'summary'> &
  Pick<UserCommand, 'options' | 'firstWords'>

type Completable = Required<NamedCommand> & {
  readonly flags: readonly string[]
  /** Whether the first words are commands, with options of their own. */
  readonly isGroup: boolean
}

/** @param load returns all commands of the program; those of a group are called `group command`. */
export const completionOf = (load: () => Promise<readonly NamedCommand[]>): UserCommand => ({
  details: `Print a completion script for a shell: bash, zsh, fish or powershell. Its first line says how to
install it.`,
  words: ['SHELL'],
  firstWords: Object.keys(scripts),
  examples: [
    'mapcrate completion bash',
    'mapcrate completion fish > ~/.config/fish/completions/mapcrate.fish',
  ],
  async run({ words: [shell = ''], screen }) {
    const commands = await load()
    const help = {
      name: 'help',
      summary: 'show the help of a command',
      firstWords: [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))],
    }
    screen.out(scripts[shell]?.([...commands, ...groupsOf(commands), help].map(completable)) ?? '')
  },
})

function completable(command: NamedCommand & { readonly isGroup?: true }): Completable {
  const { options = [], firstWords = [], isGroup = false } = command
  const flags = [...options.map(({ name }) => `--${name}`), '--help']
  return { ...command, options, firstWords, flags, isGroup }
}

function groupsOf(commands: readonly NamedCommand[]) {
  const pairs = commands.map(({ name }) => name.split(' ')).filter((words) => words.length === 2)
  return [...new Set(pairs.map(([group = '']) => group))].map((name) => ({
    name,
    summary: `commands for a ${name}`,
    firstWords: pairs.flatMap(([group, word = '']) => (group === name ? [word] : [])),
    isGroup: true as const,
  }))
}

const firstLevel = (commands: readonly Completable[]): readonly Completable[] =>
  commands.filter(({ name }) => !name.includes(' '))

const groupNames = (commands: readonly Completable[]): readonly string[] =>
  commands.filter(({ isGroup }) => isGroup).map(({ name }) => name)

const scripts: Readonly<Record<string, (commands: readonly Completable[]) => string>> = {
  bash,
  zsh,
  fish,
  powershell,
}

function bash(commands: readonly Completable[]): string {
  const choices = choicesOf(commands).map(
    ([option, values]) => `      ${quoted(option)}) words=${quoted(values.join(' '))} ;;`,
  )
  const cases = commands.map(({ name, flags, firstWords }) => {
    const words = `[[ $word == -* ]] && words=${quoted(flags.join(' '))}`
    const first = quoted(firstWords.join(' '))
    const firsts = firstWords.length === 0 ? '' : `; [ "$COMP_CWORD" -eq "$at" ] && words=${first}`
    return `        ${quoted(name)}) ${words}${firsts} ;;`
  })
  return `# In ~/.bashrc: source <(mapcrate completion bash)
_mapcrate() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} at=2 words=
  case "$command" in
    ${groupNames(commands).join('|')}) [ "$COMP_CWORD" -gt 2 ] && command="$command \${COMP_WORDS[2]}" at=3 ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted(
      `${firstLevel(commands)
        .map(({ name }) => name)
        .join(' ')} --help --version`,
    )}
  else
    case "$command $before" in
${choices.join('\n')}
      *) case "$command" in
${cases.join('\n')}
      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o bashdefault -o default -F _mapcrate mapcrate
`
}

function zsh(commands: readonly Completable[]): string {
  const summaries = firstLevel(commands).map(
    ({ name, summary }) => `      ${quoted(`${name}:${summary}`)}`,
  )
  const choices = choicesOf(commands).map(
    ([option, values]) => `    ${quoted(option)}) compadd -- ${values.join(' ')}; return ;;`,
  )
  const cases = commands.map(({ name, flags, firstWords }) => {
    const first = `(( CURRENT == at )) && compadd -- ${firstWords.join(' ')}; `
    const options = `[[ $words[CURRENT] == -* ]] && compadd -- ${flags.join(' ')}`
    return `    ${quoted(name)}) ${firstWords.length === 0 ? '' : first}${options} ;;`
  })
  return `#compdef mapcrate
# In ~/.zshrc, after compinit: source <(mapcrate completion zsh)
_mapcrate() {
  local -a commands
  local command=$words[2] at=3
  case "$command" in
    ${groupNames(commands).join('|')}) (( CURRENT > 3 )) && { command="$command $words[3]"; at=4 } ;;
  esac
  if (( CURRENT == 2 )); then
    commands=(
${summaries.join('\n')}
    )
    _describe command commands
    return
  fi
  case "$command $words[CURRENT-1]" in
${choices.join('\n')}
  esac
  case "$command" in
${cases.join('\n')}
  esac
  _files
}
compdef _mapcrate mapcrate
`
}

function fish(commands: readonly Completable[]): string {
  const lines = commands.flatMap((command) => {
    const { name, summary, options, firstWords } = command
    const after = `complete -c mapcrate -n '${fishCondition(command, groupNames(commands))}'`
    const isFirst = !name.includes(' ')
    return [
      ...(isFirst
        ? [`complete -c mapcrate -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`]
        : []),
      ...(firstWords.length === 0 ? [] : [`${after} -a ${quoted(firstWords.join(' '))}`]),
      ...options.map(({ name: option, takes, optional, about, choices }) => {
        const isFree = takes === undefined || optional !== undefined
        const values = choices === undefined ? ' -r' : ` -x -a ${quoted(choices.join(' '))}`
        return `${after} -l ${option}${isFree ? '' : values} -d ${quoted(about)}`
      }),
    ]
  })
  return `# In ~/.config/fish/config.fish: mapcrate completion fish | source\n${lines.join('\n')}\n`
}

/** Commands of a group may be called as those of the first level are. */
function fishCondition({ name, firstWords, isGroup }: Completable, groups: readonly string[]) {
  const seen = (words: string): string => `__fish_seen_subcommand_from ${words}`
  const [first = '', second] = name.split(' ')
  if (second !== undefined) return `${seen(first)}; and ${seen(second)}`
  const others = isGroup ? firstWords : groups
  return `${seen(first)}; and not ${seen(others.join(' '))}`
}

function powershell(commands: readonly Completable[]): string {
  const names = [...firstLevel(commands).map(({ name }) => name), '--help', '--version']
  const options = commands.map(({ name, flags }) => [name, flags] as const)
  const firstWords = commands.map((each) => [each.name, each.firstWords] as const)
  return `# In the file that $PROFILE names: mapcrate completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName mapcrate -ScriptBlock {
  param($word, $ast, $cursor)
  $commands = ${psList(names)}
  $options = ${psTable(options)}
  $firstWords = ${psTable(firstWords.filter(([, words]) => words.length > 0))}
  $choices = ${psTable(choicesOf(commands))}
  $typed = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $command = "$($typed[1])"
  $at = 2
  if (${psList(groupNames(commands))} -contains $command -and $typed.Count -gt 2) {
    $command = "$command $($typed[2])"
    $at = 3
  }
  $found = if ($typed.Count -le 1) { $commands }
    elseif ($choices.ContainsKey("$command $($typed[-1])")) { $choices["$command $($typed[-1])"] }
    elseif ($word -like '-*') { $options[$command] }
    elseif ($typed.Count -eq $at) { $firstWords[$command] }
  $found | Where-Object { $_ -and $_.StartsWith($word) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}

type Row = readonly [key: string, words: readonly string[]]

/** The options that accept listed values only, `export --as`, with these values. */
function choicesOf(commands: readonly Completable[]): readonly Row[] {
  return commands.flatMap(({ name, options }) =>
    options.flatMap((option): Row[] =>
      option.choices === undefined ? [] : [[`${name} --${option.name}`, option.choices]],
    ),
  )
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function psQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function psList(words: readonly string[]): string {
  return `@(${words.map(psQuoted).join(', ')})`
}

function psTable(rows: readonly Row[]): string {
  return `@{\n${rows.map(([key, words]) => `    ${psQuoted(key)} = ${psList(words)}\n`).join('')}  }`
}
