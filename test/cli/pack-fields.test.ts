import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Pack, PackInput } from '../../src/contract/packs.ts'
import { contentOf, contentPrint, packJson } from '../../src/cli/user/pack-text.ts'
import { packInput } from '../../src/cli/user/file-text.ts'
import { plain } from '../../src/cli/user/screen.ts'
import { readPoolJson } from '../../src/formats/read-pool-json.ts'
import { fieldWords, packFieldNames } from '../../src/pool/pack-fields.ts'
import { anyPack, decided, withOneOther } from '../support/any-pack.ts'
import { openHouse } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { runMapcrate } from '../support/run-mapcrate.ts'

const house = await openHouse()
afterAll(() => house.close())

/** As the API answers it, as far as the command line reads it. */
const answered = (input: PackInput) => input as Pack
const reread = (text: string) => packInput({ ...readPoolJson(text), isNamed: true })

describe('a field of a pack', () => {
  it('comes back from the text that edit and sync write', () => {
    const property = fc.property(anyPack, (pack) => {
      expect(decided(reread(packJson(contentOf(answered(pack)))))).toEqual(pack)
    })
    fc.assert(property)
  })

  it('is a change by itself: the fingerprint is another', () => {
    const property = fc.property(anyPack, anyPack, (pack, other) => {
      const print = (each: PackInput) => contentPrint(contentOf(answered(each)))
      for (const changed of withOneOther(pack, other)) {
        expect(print(changed) === print(pack)).toBe(
          JSON.stringify(decided(changed)) === JSON.stringify(decided(pack)),
        )
      }
    })
    fc.assert(property)
  })
})

describe('a pack with every field', () => {
  const [pack, other] = fc.sample(anyPack, { numRuns: 2, seed: 26 }) as [PackInput, PackInput]
  const scene = async () => {
    const host = await house.host()
    const slug = await host.save(pack)
    const env = { MAPCRATE_URL: host.door.url, MAPCRATE_KEY: host.key }
    const now = async () => decided((await host.get(`/packs/${slug}`)).json.pack)
    return { host, slug, env, now }
  }

  it('goes through get --json and create whole', async () => {
    const { host, slug, env } = await scene()
    const { stdout } = await runMapcrate(['get', slug, '--json'], { env })
    expect((await runMapcrate(['create', '-'], { env, input: stdout })).code).toBe(0)
    const [copy, source] = (await host.get('/me/packs')).json.packs
    expect([decided(copy), decided(source)]).toEqual([pack, pack])
  })

  it('is shown by get, field by field', async () => {
    const { slug, env } = await scene()
    const { stdout } = await runMapcrate(['get', slug], { env })
    for (const field of packFieldNames) {
      const words = fieldWords(field, pack[field])
      if (words !== null) expect(stdout.replaceAll('\n', ' ↵ ')).toContain(plain(words))
    }
  })

  it('keeps what is not edited', async () => {
    const { slug, env, now } = await scene()
    const editor = join(await freshFolder(), 'editor')
    await writeFile(editor, `#!/bin/sh\nsed -i.bak 's/"name": .*/"name": "Edited",/' "$1"\n`)
    await chmod(editor, 0o755)
    const edited = await runMapcrate(['edit', slug, '--yes'], { env: { ...env, EDITOR: editor } })
    expect(edited.code).toBe(0)
    expect(await now()).toEqual({ ...pack, name: 'Edited' })
  })

  it('goes through a folder and back', async () => {
    const { slug, env, now } = await scene()
    const folder = await freshFolder()
    expect((await runMapcrate(['sync', folder, '--yes'], { env })).code).toBe(0)
    const [file = ''] = (await readdir(folder)).filter((name) => /^[^.].*\.json$/.test(name))
    const text = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), text.replace(/"name": .*/, '"name": "Edited",'))
    expect((await runMapcrate(['sync', folder, '--yes'], { env })).code).toBe(0)
    expect(await now()).toEqual({ ...pack, name: 'Edited' })
    expect((await runMapcrate(['history', slug], { env })).stdout.match(/^ *[12] /gm)).toHaveLength(
      2,
    )
  })

  it('is restored whole, but for who may see it', async () => {
    const { host, slug, env, now } = await scene()
    await host.put(slug, other)
    expect((await runMapcrate(['restore', slug, '1', '--yes'], { env })).code).toBe(0)
    expect(await now()).toMatchObject({
      ...pack,
      slots: expect.any(Array),
      visibility: other.visibility,
    })
  })
})
