import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type Host, openHouse } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { inTerminal, runMapcrate, startMapcrate } from '../support/run-mapcrate.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
let host: Host
let slug: string
let folder: string
let env: Record<string, string>

afterAll(() => house.close())
beforeEach(async () => {
  host = await house.host()
  slug = await host.save(aPack({ visibility: 'public', description: 'Last' }))
  folder = await freshFolder()
  env = { MAPCRATE_URL: host.door.url, MAPCRATE_KEY: host.key, TMPDIR: folder }
})

/** An editor that does this to the file in `$1`. */
const editor = async (does: string): Promise<Record<string, string>> => {
  const file = join(await freshFolder(), 'editor')
  await writeFile(file, `#!/bin/sh\n${does}\n`)
  await chmod(file, 0o755)
  return { ...env, EDITOR: file }
}

const packNow = async () => (await host.get(`/packs/${slug}`)).json.pack

/** The text that was kept. */
const kept = async (told: string): Promise<string> => {
  const [, file = ''] = /Your text is kept in (\S+)/.exec(told) ?? []
  expect((await stat(file)).mode & 0o077).toBe(0)
  const text = await readFile(file, 'utf8')
  await rm(file)
  return text
}

describe('edit', () => {
  it('opens the pack, shows the difference, asks, saves, and leaves no file', async () => {
    const { code, screen } = await inTerminal(['edit', slug], [[/Save\?.*\[y\/e\/N\] /, 'y\n']], {
      env: await editor(
        `grep -q '"visibility": "public"' "$1" && sed -i.bak 's/4392947/129891/; /description/d' "$1"`,
      ),
    })
    expect(screen).toMatch(/Description removed: \S*Last/)
    expect(screen).toMatch(/NM1: \S*4392947\S* → \S*129891/)
    expect(code).toBe(0)
    const pack = await packNow()
    expect(pack).toMatchObject({ visibility: 'public', slots: [{ beatmapId: 129891 }, {}, {}] })
    expect(pack).not.toHaveProperty('description')
    expect(await readdir(folder)).toEqual([])
  })

  it('removes nothing whose field is misspelt', async () => {
    const before = await packNow()
    const { code, stderr } = await runMapcrate(['edit', slug, '--yes'], {
      env: await editor(`sed -i.bak 's/"description"/"descripton"/' "$1"`),
    })
    expect(stderr).toContain('there is no field descripton; is it description?')
    expect(code).toBe(1)
    await kept(stderr)
    expect(await packNow()).toEqual(before)
  })

  it.each([
    ['deletes', 'rm "$1"'],
    ['puts a pipe in the place of', 'rm "$1" && mkfifo "$1"'],
  ])('says that a text is kept only if it is: the editor %s the file', async (_, does) => {
    const before = await packNow()
    const { code, stderr } = await runMapcrate(['edit', slug, '--yes'], { env: await editor(does) })
    expect(stderr).toMatch(/\.json/)
    expect(stderr).not.toContain('kept')
    expect(code).toBe(1)
    expect(await packNow()).toEqual(before)
  })

  it('saves nothing when nothing was changed', async () => {
    const { code, stderr } = await runMapcrate(['edit', slug, '--yes'], {
      env: await editor('true'),
    })
    expect(stderr).toBe('Nothing was changed.\n')
    expect(code).toBe(0)
    expect(await readdir(folder)).toEqual([])
  })

  it('says what cannot be read and opens the text again', async () => {
    const does = `if grep -q slotz "$1"; then sed -i.bak s/slotz/slots/ "$1"; else sed -i.bak 's/"slots"/"slotz"/; s/Grand/Grander/' "$1"; fi`
    const { code, screen } = await inTerminal(
      ['edit', slug],
      [
        [/Edit again\? \[y\/N\] /, 'y\n'],
        [/Save\?.*\] /, 'y\n'],
      ],
      { env: await editor(does) },
    )
    expect(screen).toContain('slots must be a list')
    expect(code).toBe(0)
    expect((await packNow()).name).toBe('Grander Finals')
  })

  it('keeps the text and says where, when one decides otherwise', async () => {
    const { code, screen } = await inTerminal(['edit', slug], [[/Save\?.*\] /, 'n\n']], {
      env: await editor('sed -i.bak s/Grand/Small/ "$1"'),
    })
    expect(code).toBe(1)
    expect(await kept(screen)).toContain('"name": "Small Finals"')
    expect((await packNow()).name).toBe('Grand Finals')
  })

  it('keeps the text at Ctrl+C', async () => {
    const { code, screen } = await inTerminal(['edit', slug], [[/Save\?.*\] /, '\u0003']], {
      env: await editor('sed -i.bak s/Grand/Small/ "$1"'),
    })
    expect(code).toBe(130)
    expect(await kept(screen)).toContain('"name": "Small Finals"')
  })

  it('keeps the text when the save is refused', async () => {
    const other = await host.save(aPack())
    const stranger = await house.host()
    const { code, stderr } = await runMapcrate(['edit', other, '--yes'], {
      env: { ...(await editor('sed -i.bak s/Grand/Small/ "$1"')), MAPCRATE_KEY: stranger.key },
    })
    expect(code).toBe(1)
    expect(await kept(stderr)).toContain('"name": "Small Finals"')
    expect(stderr).toMatch(/mapcrate edit: there is no pack with this slug/)
  })

  it('overwrites nothing that was saved elsewhere meanwhile', async () => {
    const elsewhere = JSON.stringify(aPack({ name: 'Saved elsewhere' }))
    const curl = `node -e 'fetch(process.env.MAPCRATE_URL + "/api/v1/packs/${slug}", { method: "PUT", body: process.argv[1], headers: { authorization: "Bearer " + process.env.MAPCRATE_KEY, "content-type": "application/json" } })' '${elsewhere}'`
    house.clock.advance(1)
    const { code, stderr } = await runMapcrate(['edit', slug, '--yes'], {
      env: await editor(`sed -i.bak s/Grand/Small/ "$1"; ${curl}`),
    })
    expect(stderr).toMatch(/the pack was saved elsewhere while you edited/)
    expect(code).toBe(1)
    expect(await kept(stderr)).toContain('"name": "Small Finals"')
    expect((await packNow()).name).toBe('Saved elsewhere')
  })

  it('tells of an editor that fails, and asks for a terminal before it opens one', async () => {
    const failing = await runMapcrate(['edit', slug, '--yes'], { env: await editor('exit 1') })
    expect(failing.stderr).toMatch(/the editor \(\S+\) failed; set EDITOR to another/)
    expect(failing.code).toBe(1)
    const mute = await runMapcrate(['edit', slug], { env: await editor('exit 1') })
    expect(mute.stderr).toMatch(/no terminal to ask on; say --yes/)
    expect(mute.code).toBe(2)
  })

  it.each([
    'exit 1',
    'true',
    'rm "$1"',
    ': > "$1"; exit 1',
    'sed -i.bak s/4392947/x/ "$1"; exit 1',
  ])('leaves exactly what was changed of the text behind an editor that does: %s', async (does) => {
    const before = await packNow()
    const running = await startMapcrate(['edit', slug, '--yes'], { env: await editor(does) })
    const { stderr } = await running.ended
    const isChanged = /[>]|sed/.test(does)
    expect(stderr.includes('Your text is kept')).toBe(isChanged)
    expect(await readdir(folder)).toHaveLength(isChanged ? 1 : 0)
    expect(await packNow()).toEqual(before)
  })
})
