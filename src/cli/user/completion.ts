import type { CommandOption } from '../program.ts'
import type { UserCommand } from './user-command.ts'

/** What completing needs to know of a command. */
export type Completable = {
  readonly name: string
  readonly summary: string
  readonly options: readonly CommandOption[]
  readonly firstWords: readonly string[]
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const flags = ({ options }: Completable): string =>
  [...options.map(({ name }) => `--${name}`), '--help'].join(' ')

const withChoices = (commands: readonly Completable[]) =>
  commands.flatMap(({ name, options }) =>
    options.flatMap((option) =>
      option.choices === undefined ? [] : [{ command: name, ...option, choices: option.choices }],
    ),
  )

const bash = (
  commands: readonly Completable[],
): string => `# In ~/.bashrc: source <(mapcrate completion bash)
_mapcrate() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted(`${commands.map(({ name }) => name).join(' ')} --help --version`)}
  else
    case "$command $before" in
${withChoices(commands)
  .map(
    ({ command, name, choices }) =>
      `      '${command} --${name}') words=${quoted(choices.join(' '))} ;;`,
  )
  .join('\n')}
      *) case "$command" in
${commands
  .map((each) => {
    const first = each.firstWords.join(' ')
    const words = `[[ $word == -* ]] && words=${quoted(flags(each))}`
    const firsts = first === '' ? '' : `; [ "$COMP_CWORD" -eq 2 ] && words=${quoted(first)}`
    return `        ${each.name}) ${words}${firsts} ;;`
  })
  .join('\n')}
      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o bashdefault -o default -F _mapcrate mapcrate
`

const zsh = (commands: readonly Completable[]): string => `#compdef mapcrate
# In ~/.zshrc, behind compinit: source <(mapcrate completion zsh)
_mapcrate() {
  local -a commands
  if (( CURRENT == 2 )); then
    commands=(
${commands.map(({ name, summary }) => `      ${quoted(`${name}:${summary}`)}`).join('\n')}
    )
    _describe command commands
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${withChoices(commands)
  .map(
    ({ command, name, choices }) =>
      `    '${command} --${name}') compadd -- ${choices.join(' ')}; return ;;`,
  )
  .join('\n')}
  esac
  case "$words[2]" in
${commands
  .map((each) => {
    const first = each.firstWords.join(' ')
    const firsts = first === '' ? '' : `(( CURRENT == 3 )) && compadd -- ${first}; `
    return `    ${each.name}) ${firsts}[[ $words[CURRENT] == -* ]] && compadd -- ${flags(each)} ;;`
  })
  .join('\n')}
  esac
  _files
}
compdef _mapcrate mapcrate
`

const fish = (commands: readonly Completable[]): string => {
  const lines = commands.flatMap(({ name, summary, options, firstWords }) => [
    `complete -c mapcrate -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...(firstWords.length === 0
      ? []
      : [
          `complete -c mapcrate -n '__fish_seen_subcommand_from ${name}' -a ${quoted(firstWords.join(' '))}`,
        ]),
    ...options.map(({ name: option, takes, about, choices }) => {
      const values = choices === undefined ? '' : ` -x -a ${quoted(choices.join(' '))}`
      const value = takes === undefined ? '' : values || ' -r'
      return `complete -c mapcrate -n '__fish_seen_subcommand_from ${name}' -l ${option}${value} -d ${quoted(about)}`
    }),
  ])
  return `# In ~/.config/fish/config.fish: mapcrate completion fish | source\n${lines.join('\n')}\n`
}

const inPowershell = (text: string): string => `'${text.replaceAll("'", "''")}'`
const listed = (words: readonly string[]): string => `@(${words.map(inPowershell).join(', ')})`

const powershell = (
  commands: readonly Completable[],
): string => `# In the file that $PROFILE names: mapcrate completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName mapcrate -ScriptBlock {
  param($word, $ast, $cursor)
  $commands = ${listed([...commands.map(({ name }) => name), '--help', '--version'])}
  $options = @{
${commands.map((each) => `    ${inPowershell(each.name)} = ${listed(flags(each).split(' '))}`).join('\n')}
  }
  $firstWords = @{
${commands
  .filter(({ firstWords }) => firstWords.length > 0)
  .map(({ name, firstWords }) => `    ${inPowershell(name)} = ${listed(firstWords)}`)
  .join('\n')}
  }
  $choices = @{
${withChoices(commands)
  .map(
    ({ command, name, choices }) =>
      `    ${inPowershell(`${command} --${name}`)} = ${listed(choices)}`,
  )
  .join('\n')}
  }
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

/** What each shell reads to complete the words of `mapcrate`. */
export const completions: Readonly<Record<string, (commands: readonly Completable[]) => string>> = {
  bash,
  zsh,
  fish,
  powershell,
}

/** @param load gives all commands of the program. */
export const completionCommand = (load: () => Promise<readonly Completable[]>): UserCommand => ({
  name: 'completion',
  details: `Prints what your shell reads to complete commands and options with the tab key. Its first line says
where it goes.`,
  options: [],
  words: ['SHELL'],
  firstWords: Object.keys(completions),
  example: 'completion bash',
  moreExamples: ['mapcrate completion fish > ~/.config/fish/completions/mapcrate.fish'],
  async run({ words: [shell = ''] }, { screen }) {
    const commands = await load()
    const help = {
      name: 'help',
      summary: 'show all about a command',
      options: [],
      firstWords: commands.map(({ name }) => name),
    }
    screen.out(completions[shell]?.([...commands, help]) ?? '')
  },
})
