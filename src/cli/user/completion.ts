import type { CommandEntry } from '../program.ts'
import type { UserCommand } from './user-command.ts'

type NamedCommand = Pick<CommandEntry, 'name' | 'summary'> &
  Pick<UserCommand, 'options' | 'firstWords'>

type Completable = Required<NamedCommand> & {
  readonly flags: readonly string[]
}

/** @param load returns all commands of the program. */
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
      firstWords: commands.map(({ name }) => name),
    }
    const completable = [...commands, help].map((command: NamedCommand): Completable => {
      const { options = [], firstWords = [] } = command
      const flags = [...options.map(({ name }) => `--${name}`), '--help']
      return { ...command, options, firstWords, flags }
    })
    screen.out(scripts[shell]?.(completable) ?? '')
  },
})

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
    const firsts = firstWords.length === 0 ? '' : `; [ "$COMP_CWORD" -eq 2 ] && words=${first}`
    return `        ${name}) ${words}${firsts} ;;`
  })
  return `# In ~/.bashrc: source <(mapcrate completion bash)
_mapcrate() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted(`${commands.map(({ name }) => name).join(' ')} --help --version`)}
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
  const summaries = commands.map(({ name, summary }) => `      ${quoted(`${name}:${summary}`)}`)
  const choices = choicesOf(commands).map(
    ([option, values]) => `    ${quoted(option)}) compadd -- ${values.join(' ')}; return ;;`,
  )
  const cases = commands.map(({ name, flags, firstWords }) => {
    const first = `(( CURRENT == 3 )) && compadd -- ${firstWords.join(' ')}; `
    const options = `[[ $words[CURRENT] == -* ]] && compadd -- ${flags.join(' ')}`
    return `    ${name}) ${firstWords.length === 0 ? '' : first}${options} ;;`
  })
  return `#compdef mapcrate
# In ~/.zshrc, after compinit: source <(mapcrate completion zsh)
_mapcrate() {
  local -a commands
  if (( CURRENT == 2 )); then
    commands=(
${summaries.join('\n')}
    )
    _describe command commands
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${choices.join('\n')}
  esac
  case "$words[2]" in
${cases.join('\n')}
  esac
  _files
}
compdef _mapcrate mapcrate
`
}

function fish(commands: readonly Completable[]): string {
  const lines = commands.flatMap(({ name, summary, options, firstWords }) => {
    const after = `complete -c mapcrate -n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c mapcrate -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...(firstWords.length === 0 ? [] : [`${after} -a ${quoted(firstWords.join(' '))}`]),
      ...options.map(({ name: option, takes, about, choices }) => {
        const values = choices === undefined ? ' -r' : ` -x -a ${quoted(choices.join(' '))}`
        return `${after} -l ${option}${takes === undefined ? '' : values} -d ${quoted(about)}`
      }),
    ]
  })
  return `# In ~/.config/fish/config.fish: mapcrate completion fish | source\n${lines.join('\n')}\n`
}

function powershell(commands: readonly Completable[]): string {
  const names = [...commands.map(({ name }) => name), '--help', '--version']
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
  $found = if ($typed.Count -le 1) { $commands }
    elseif ($choices.ContainsKey("$($typed[1]) $($typed[-1])")) { $choices["$($typed[1]) $($typed[-1])"] }
    elseif ($word -like '-*') { $options[$typed[1]] }
    elseif ($typed.Count -eq 2) { $firstWords[$typed[1]] }
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
