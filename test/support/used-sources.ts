import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { freshFolder, makeKey, runCli, startServer } from './processes.ts'

/**
 * Copies a store whose server comes and goes: refused, and nothing made, for as long as it may save something that the
 * copy would lack.
 *
 * @param words of the command that copies it to the store in the folder that it is run in.
 */
export const copyUsed = async (
  words: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<void> => {
  const copies = async (when: string, isCopied: boolean) => {
    const target = join(await freshFolder(), 'data')
    const { code, stderr } = await runCli(target, words)
    const made = existsSync(target)
    expect({ when, code, made }).toEqual({ when, code: isCopied ? 0 : 1, made: isCopied })
    if (!isCopied) expect(stderr).toMatch(/cannot be used: .*uses it.*would not be copied/)
  }
  const readOnly = async (mode: 'on' | 'off') => {
    expect(await runCli(folder, ['read-only', mode], { env })).toMatchObject({ code: 0 })
  }

  await makeKey(folder, { env })
  await copies('before a server', true)
  const killed = await startServer(folder, env)
  await copies('with a server', false)
  await readOnly('on')
  await copies('while nothing may be changed', true)
  await readOnly('off')
  await copies('when that has ended', false)
  killed.process.signal('SIGKILL')
  await killed.process.ended
  await copies('of a server that was killed', true)
  const stopped = await startServer(folder, env)
  await copies('with the next server', false)
  expect(await stopped.stop()).toMatchObject({ code: 0 })
  await copies('of a server that was stopped', true)
}
