import { formFields } from '../../pool/pack-fields.ts'
import { decodeText } from '../../formats/file-content.ts'
import { readPoolJson } from '../../formats/read-pool-json.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Pack } from '../../contract/packs.ts'
import { comparePacks } from '../../pool/comparison.ts'
import { CliError } from '../program.ts'
import { describeError, hasCode } from './errors.ts'
import { readIfThere, readWhole, writeWhole } from './files.ts'
import { fieldsOfPack, refuseUnknownIn, wrapped } from './known-fields.ts'
import { askLetter, insistOnTerminal } from './input.ts'
import { contentOf, differenceLines, packJson, type PackToSave, savedLine } from './pack-text.ts'
import { packInput } from './file-text.ts'
import { connect } from './service.ts'
import { type CliContext, type UserCommand, yesOption } from './user-command.ts'

export const editCommand: UserCommand = {
  details: `Open one of your packs as JSON in your editor ($VISUAL or $EDITOR), show the changes, and save them after
confirmation. If they cannot be saved, your text is kept, and its location is printed.`,
  options: [yesOption],
  words: ['SLUG'],
  examples: ['mapcrate edit q7Jm2_xT0a', "EDITOR='code --wait' mapcrate edit q7Jm2_xT0a"],
  async run(context) {
    const { options, screen } = context
    if (!options.has('yes')) insistOnTerminal(context)
    const service = await connect(context)
    const { client, site } = service
    const slug = service.slug()
    const before = await client.getPack(slug)
    const file = join(await mkdtemp(join(tmpdir(), 'mapcrate-edit-')), `${slug}.json`)
    const opened = packJson(contentOf(before))
    try {
      await writeWhole(file, opened, { mode: 0o600 })
      const after = await edit(file, before, context)
      if (after === null) screen.note('Nothing was changed.')
      else screen.out(savedLine(site, await client.replacePack(slug, after, { ifMatch: before })))
    } catch (error) {
      const text = await readIfThere(file).catch(() => null)
      const isOwn = text !== null && text.toString() !== opened
      if (!isOwn) await rm(dirname(file), { recursive: true, force: true })
      else screen.note(`Your text is kept in ${file}`)
      if (!hasCode(error, 'precondition_failed')) throw error
      throw new CliError('the pack was saved elsewhere while you edited; edit it once more')
    }
    await rm(dirname(file), { recursive: true, force: true })
  },
}

/** Returns what is to be saved; null if nothing was changed. */
async function edit(file: string, before: Pack, context: CliContext): Promise<PackToSave | null> {
  const { options, screen } = context
  for (;;) {
    const after = await editUntilRead(file, before, context)
    const found = comparePacks(before, after)
    if (found.length === 0) return null
    screen.out(differenceLines(found, screen.paint, before.slots))
    if (options.has('yes')) return after
    const letter = await askLetter('Save? (e: edit again)', ['y', 'e', 'n'], context)
    if (letter === 'y') return after
    if (letter === 'n') throw nothingSaved()
  }
}

async function editUntilRead(file: string, before: Pack, context: CliContext): Promise<PackToSave> {
  for (;;) {
    await runEditor(file, context)
    try {
      // Strictly in the form in which it was opened: a misspelt field must not be read by its meaning.
      const text = decodeText(await readWhole(file))
      const { draft, fields: typed } = readPoolJson(text, before.name)
      refuseUnknownIn(text, wrapped('pack', fieldsOfPack))
      // A field that was deleted from the text is to be removed.
      const fields = formFields({ visibility: before.visibility, ...typed })
      return packInput({ draft, fields, isNamed: true })
    } catch (error) {
      if (context.options.has('yes')) throw error
      context.screen.note(describeError(error))
      if ((await askLetter('Edit again?', ['y', 'n'], context)) === 'n') throw nothingSaved()
    }
  }
}

function nothingSaved(): CliError {
  return new CliError('nothing was saved')
}

async function runEditor(file: string, { env, platform, ignoreInterrupts }: CliContext) {
  const { VISUAL: visual = '', EDITOR: named = '' } = env
  const isWindows = platform === 'win32'
  const editor = visual || named || (isWindows ? 'notepad' : 'vi')
  await ignoreInterrupts(async () => {
    // A shell reads it, since it may have arguments: `code --wait`, for example.
    const child = isWindows
      ? spawn(`${editor} "${file}"`, { stdio: 'inherit', shell: true })
      : spawn('sh', ['-c', `${editor} "$1"`, editor, file], { env, stdio: 'inherit' })
    const [code] = await once(child, 'close')
    if (code !== 0) throw new CliError(`the editor (${editor}) failed; set EDITOR to another`)
  })
}
