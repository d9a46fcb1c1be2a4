import { spawn } from 'node:child_process'
import type { Surroundings } from './surroundings.ts'
import { Trouble } from './trouble.ts'

/** Opens a file in the person's editor and waits until it is closed. */
export const runEditor = async (file: string, around: Surroundings): Promise<void> => {
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
  if (code !== 0) throw new Trouble(`the editor (${editor}) failed; set EDITOR to another`)
}
