import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Host, openHouse } from './house.ts'
import { type RunOptions, runMapcrate } from './run-mapcrate.ts'
import { ScriptedPlatform } from './scripted-platform.ts'

export const sheet = `Round\tSlot\tBeatmap
Qualifiers\tNM1\t75
\tHD1\t76
Quarterfinals\tNM1\t77
\tNM2\t78
\tTB\t79
`

export const envOf = ({ door, key }: Host) => ({
  MAPCRATE_POOLS_URL: door.url,
  MAPCRATE_POOLS_KEY: key,
})

export type FileContent = { readonly slots: readonly object[] } & Readonly<Record<string, unknown>>

/** A house with a host, a pooler to be and a stranger, who use `mapcrate tournament`. */
export async function openTournamentHouse() {
  let platform!: ScriptedPlatform
  const house = await openHouse({
    withPorts: (ports) => {
      platform = new ScriptedPlatform(ports)
      return { ...ports, platform: platform as never }
    },
  })
  const host = await house.hostOf(7, 'Ada', 'pools')
  const pooler = await house.hostOf(8, 'Ben', 'pools')
  const stranger = await house.hostOf(9, 'Cas', 'pools')
  const folders: string[] = []

  /** A call in a minute of its own: an account has ten writes in each, and the hand-set clock stands still. */
  const runAs = async (who: Host, args: readonly string[], options: RunOptions = {}) => {
    house.clock.advance(60_000)
    const env = { ...envOf(who), ...options.env }
    return runMapcrate(['tournament', ...args], { ...options, env })
  }
  const done = async (args: readonly string[], options: RunOptions = {}, who = host) => {
    const ending = await runAs(who, args, options)
    expect({ args, ...ending }).toMatchObject({ args, code: 0 })
    return ending
  }
  const jsonOf = async (args: readonly string[], options: RunOptions = {}, who = host) =>
    JSON.parse((await done([...args, '--json'], options, who)).stdout)
  const newTournament = async (...args: string[]): Promise<string> =>
    (await jsonOf(['new', 'Harbour Lights Cup', '--short-name', 'HLC', ...args])).slug
  const saveAs = (who: Host, path: string, body: unknown, method = 'PATCH') => {
    house.clock.advance(60_000)
    return who.ask(method, path, { body })
  }
  const idsOf = async (slug: string): Promise<Record<string, string>> => {
    const { rounds } = await jsonOf(['show', slug])
    return Object.fromEntries(rounds.map(({ name, id }: Record<string, string>) => [name, id]))
  }
  const read = async (folder: string, name: string): Promise<FileContent> =>
    JSON.parse(await readFile(join(folder, name), 'utf8'))

  /** Does the work, and reports each write of its commands before it is sent. */
  const watchWrites = async (
    work: () => Promise<unknown>,
    onWrite: (write: string) => unknown,
  ): Promise<void> => {
    const real = globalThis.fetch
    globalThis.fetch = async (input, options) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input)
      const method = options?.method ?? 'GET'
      const isLook = pathname === '/session/beatmaps'
      if (method !== 'GET' && !isLook) await onWrite(`${method} ${pathname.replace('/api/v1', '')}`)
      return real(input, options)
    }
    try {
      await work()
    } finally {
      globalThis.fetch = real
    }
  }

  return {
    house,
    /** What the commands of the work write. */
    writesOf: async (work: () => Promise<unknown>): Promise<string[]> => {
      const writes: string[] = []
      await watchWrites(work, (write) => writes.push(write))
      return writes
    },
    /** Does the work while no answer to its writes arrives, from the nth write on. */
    withoutAnswers: async <T>(nth: number, work: () => Promise<T>): Promise<T> => {
      const real = globalThis.fetch
      let writes = 0
      globalThis.fetch = async (input, options) => {
        const answer = await real(input, options)
        if ((options?.method ?? 'GET') === 'GET' || (writes += 1) < nth) return answer
        throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })
      }
      try {
        return await work()
      } finally {
        globalThis.fetch = real
      }
    },
    /** Something happens between what a command has read and its first write. */
    meanwhile: async <T>(act: () => Promise<unknown>, work: () => Promise<T>): Promise<T> => {
      let acts = [act]
      let result!: T
      const first = async () => {
        const [next] = acts
        acts = []
        await next?.()
      }
      await watchWrites(async () => {
        result = await work()
      }, first)
      return result
    },
    platform,
    host,
    pooler,
    stranger,
    runAs,
    done,
    jsonOf,
    newTournament,
    saveAs,
    idsOf,
    read,
    /** A tournament with Qualifiers and Quarterfinals. */
    drafted: async (...args: string[]): Promise<string> => {
      const slug = await newTournament(...args)
      await done(['import', slug, '-', '--yes'], { input: sheet })
      return slug
    },
    /** A folder that outlives its test. */
    longFolder: async (): Promise<string> => {
      const folder = await mkdtemp(join(tmpdir(), 'mapcrate-'))
      folders.push(folder)
      return folder
    },
    /** As somebody else does it at the same time. */
    changeSlot: async (slug: string, round: string, index: number, from: number, to: number) => {
      const { [round]: id } = await idsOf(slug)
      const change = { mod: 'NM', index, from: { beatmapId: from }, to: { beatmapId: to } }
      const path = `/tournaments/${slug}/rounds/${id}/slots`
      const { status } = await saveAs(host, path, { changes: [change] })
      expect(status).toBe(200)
    },
    edit: async (folder: string, name: string, change: (content: FileContent) => unknown) =>
      writeFile(join(folder, name), JSON.stringify(change(await read(folder, name)))),
    close: async (): Promise<void> => {
      await house.close()
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    },
  }
}
