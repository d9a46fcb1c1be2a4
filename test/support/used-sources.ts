import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { copyStore, type StorePlace } from '../../src/main/copy-store.ts'
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

type Coming = {
  /** A server that is still there at the end. */
  readonly stays?: true
  /** What is saved by something that is not. */
  readonly saves?: true
  readonly isReadOnly?: true
  readonly wanted: RegExp
}

/** What may come to a store while it is being copied. */
const comings: Readonly<Record<string, Coming>> = {
  'a server that stays': { stays: true, wanted: /cannot be used: .*uses it.*would not be copied/ },
  'a server in which nothing may be changed': { stays: true, isReadOnly: true, wanted: /^copied$/ },
  'what saves something, and goes': { saves: true, wanted: /has changed since the copy began/ },
  nothing: { wanted: /^copied$/ },
}

/** Copies a store to which a server comes, once rows are being copied and once they are being checked. */
export const copyWhileServed = async (
  from: StorePlace,
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<void> => {
  await makeKey(folder, { env })
  for (const [coming, { stays, saves, isReadOnly, wanted }] of Object.entries(comings)) {
    const mode = isReadOnly ? 'on' : 'off'
    expect(await runCli(folder, ['read-only', mode], { env })).toMatchObject({ code: 0 })
    for (const moment of ['copied', 'checked'] as const) {
      const target = await freshFolder()
      let server: Awaited<ReturnType<typeof startServer>> | null = null
      let isSaved = false
      const copied = copyStore(
        'copy',
        from,
        { file: join(target, 'mapcrate.db') },
        async (doing) => {
          if (doing !== moment) return
          if (stays) server ??= await startServer(folder, env)
          if (saves && !isSaved) await makeKey(folder, { env, gameId: 4712, username: 'Bob' })
          isSaved = true
        },
      )
      const outcome = await copied.then(
        () => 'copied',
        (error: Error) => error.message,
      )
      const isWhole = outcome === 'copied'
      expect(outcome, `${coming}, ${moment}`).toMatch(wanted)
      await (server as Awaited<ReturnType<typeof startServer>> | null)?.stop()
      const used = await runCli(target, ['account', '--game-id', '4711'])
      expect(used, `${coming}, ${moment}`).toMatchObject({ code: isWhole ? 0 : 1 })
      if (!isWhole) expect(used.stderr).toContain('run mapcrate-server copy again')
    }
  }
}
