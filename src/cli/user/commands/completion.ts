import { type Completable, completions } from '../completion.ts'
import type { UserCommand } from '../user-command.ts'

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
