import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { MapcrateError } from '../../client/errors.ts'
import type { Pack } from '../../contract/packs.ts'
import { CliError } from '../program.ts'
import { askLetter } from './input.ts'
import { contentOf, differenceLines, differences, packJson, savedLine } from './pack-text.ts'
import { choosePool, insistOnAll, packInput, type PackToSave, readPools } from './pool-file.ts'
import { connect, type Service } from './service.ts'
import { describeError } from './errors.ts'
import { type CliContext, type UserCommand, yesOption } from './user-command.ts'
import { writeWhole } from './write-file.ts'

const nothingSaved = (): CliError => new CliError('nothing was saved')

/** What stands in the file now. */
const readEdited = async (file: string, before: Pack): Promise<PackToSave> => {
  const pools = await readPools(await readFile(file), file, { buckets: before.buckets })
  const pool = choosePool(pools, undefined)
  insistOnAll(pool)
  // A description that was deleted from the text is meant to go.
  const description = pool.description ?? ''
  return packInput({ ...pool, description }, { name: undefined, visibility: undefined }, before)
}

/** What stands in the file, once it can be read. */
const editUntilRead = async (file: string, before: Pack, isAsked: boolean, around: CliContext) => {
  for (;;) {
    await runEditor(file, around)
    try {
      return await readEdited(file, before)
    } catch (error) {
      if (!isAsked) throw error
      around.screen.note(describeError(error))
      if ((await askLetter('Edit again?', ['y', 'n'], around)) === 'n') throw nothingSaved()
    }
  }
}

/** What is to be saved; null when nothing was changed. */
const edit = async (
  file: string,
  before: Pack,
  isAsked: boolean,
  around: CliContext,
): Promise<PackToSave | null> => {
  for (;;) {
    const after = await editUntilRead(file, before, isAsked, around)
    const found = differences(contentOf(before), after)
    if (found.length === 0) return null
    around.screen.out(differenceLines(found, around.screen.paint))
    const letter = isAsked ? await askLetter('Save? (e: edit again)', ['y', 'e', 'n'], around) : 'y'
    if (letter === 'y') return after
    if (letter === 'n') throw nothingSaved()
  }
}

const save = async ({ client }: Service, before: Pack, after: PackToSave): Promise<Pack> => {
  try {
    return await client.replacePack(before.slug, after, { ifMatch: before })
  } catch (error) {
    if (!(error instanceof MapcrateError) || error.code !== 'precondition_failed') throw error
    throw new CliError('the pack was saved elsewhere while you edited; edit it once more')
  }
}

export const editCommand: UserCommand = {
  name: 'edit',
  details: `Opens a pack of yours as JSON in your editor ($VISUAL or $EDITOR), shows what you changed, asks, and
saves it. Whatever keeps it from being saved, your text is kept, and you are told where.`,
  options: [yesOption],
  words: ['SLUG'],
  example: 'edit q7Jm2_xT0a',
  moreExamples: ["EDITOR='code --wait' mapcrate edit q7Jm2_xT0a"],
  async run({ words: [word = ''], has }, around) {
    const isAsked = !has('yes')
    if (isAsked && !around.stdin.isTTY)
      throw new CliError('there is no terminal to ask on; say --yes', 'misuse')
    const service = await connect(around)
    const slug = service.slugOf(word)
    const before = await service.client.getPack(slug)
    const file = join(await mkdtemp(join(tmpdir(), 'mapcrate-edit-')), `${slug}.json`)
    await writeWhole(file, packJson(contentOf(before)), { onlyMode: 0o600 })
    try {
      const after = await edit(file, before, isAsked, around)
      if (after === null) around.screen.note('Nothing was changed.')
      else around.screen.out(savedLine(service.site, await save(service, before, after)))
    } catch (error) {
      around.screen.note(`Your text is kept in ${file}`)
      throw error
    }
    await rm(dirname(file), { recursive: true, force: true })
  },
}

/** Opens a file in the person's editor and waits until it is closed. */
const runEditor = async (file: string, around: CliContext): Promise<void> => {
  const { VISUAL: visual = '', EDITOR: named = '' } = around.env
  const usual = around.platform === 'win32' ? 'notepad' : 'vi'
  const editor = visual || named || usual
  // A shell reads it, as everywhere: it may have arguments, `code --wait` for example.
  const open = () =>
    around.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { stdio: 'inherit', shell: true })
      : spawn('sh', ['-c', `${editor} "$1"`, editor, file], { stdio: 'inherit' })
  const code = await around.leaveInterrupts(
    () =>
      new Promise<number | null>((resolve, reject) => {
        const child = open()
        child.on('error', reject)
        child.on('close', resolve)
      }),
  )
  if (code !== 0) throw new CliError(`the editor (${editor}) failed; set EDITOR to another`)
}
