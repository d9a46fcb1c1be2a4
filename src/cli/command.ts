/** An option of a command: `--out FILE`, or `--json` where nothing follows. */
export type CommandOption = {
  /** Without its hyphens. */
  readonly name: string
  /** What follows it; left out where nothing does. */
  readonly takes?: string
  readonly about: string
  /** What may follow, where that is a list. */
  readonly choices?: readonly string[]
}

/** One command of a program. */
export type Command = {
  readonly name: string
  /** What follows the name: `--game-id N`. Empty when nothing does. */
  readonly takes: string
  /** Everything that its user should know, as paragraphs. */
  readonly details: string
  readonly options?: readonly CommandOption[]
  /** A call that works, without the program's name. */
  readonly example: string
  /** More of them, as whole lines of a shell. */
  readonly moreExamples?: readonly string[]
  /**
   * Does it. Throws `Misuse` for arguments that it cannot read, anything else when it fails.
   *
   * @param args what follows the name.
   */
  run(args: readonly string[]): Promise<void>
}

/** A command in the list: loaded when it is called, for each needs other parts of the software. */
export type CommandEntry = {
  readonly name: string
  /** What it does, in a few words. */
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** The command line cannot be read; its message says why. Exit code 2. */
export class Misuse extends Error {}
