import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRefusingSite, type RefusingSite, speak, type Texts } from '../support/refusing-site.ts'

const folder = fileURLToPath(new URL('../../src/texts/', import.meta.url))

let site: RefusingSite
beforeAll(async () => {
  site = await openRefusingSite()
})
afterAll(() => site.close())

describe('the name of a field in a refusal (D-107)', () => {
  const labels: readonly (readonly [name: string, section: string, key: string])[] = [
    ['bucketOfSlot', 'editor', 'partBucket'],
    ['number', 'editor', 'partNumber'],
    ['beatmapId', 'editor', 'partBeatmap'],
    ['code', 'editor', 'partCode'],
    ['color', 'editor', 'partColor'],
    ['mods', 'editor', 'partMods'],
    ...['name', 'shortName', 'description', 'link', 'year', 'rankFrom', 'rankTo', 'ruleset'].map(
      (key) => [key, 'tournament-settings', key] as const,
    ),
    ['webhookUrl', 'tournament-settings', 'webhookUrl'],
    ...['keys', 'rounds'].map((key) => [key, 'workspace', key] as const),
    ...['stars', 'length', 'bpm', 'search'].map((key) => [key, 'common', key] as const),
    ...['artist', 'title', 'difficulty', 'mapper', 'linkToFile', 'why', 'candidates'].map(
      (key) => [key, 'round', key] as const,
    ),
    ['role', 'staff', 'role'],
    ['magnetLink', 'pack', 'newMagnet'],
    ['rank', 'tournaments', 'openToRank'],
    ['year', 'tournaments', 'year'],
  ]

  it.each(['en', 'ko', 'zh-Hans', 'es'])('is the one that pages show, in %s', (language) => {
    const textsOf = (section: string): Texts =>
      JSON.parse(readFileSync(`${folder}${language}/${section}.json`, 'utf8'))
    const names = { ...textsOf('fields'), ...textsOf('input-names') }
    for (const [name, section, key] of labels) {
      expect([name, names[name]]).toEqual([name, textsOf(section)[key]])
    }
  })

  it.each([
    ['en', 'Rank to must not be less than the number in “Rank from”, which is 500.'],
    ['es', 'Hasta el puesto: no puede ser menor que el número de «Desde el puesto», 500.'],
    ['ko', '참가 가능 순위(끝): “참가 가능 순위(시작)”의 숫자인 500보다 작을 수 없습니다.'],
    ['zh-Hans', '排名到：不能小于“排名从”的数字 500。'],
  ])('is in a sentence of %s', async (language, sentence) => {
    const sent = { rankMin: 500, rankMax: 100 }
    const refused = await site.told(await speak(language), 'updateTournament', sent)
    const { error, english } = refused!
    expect(error.message).toBe(sentence)
    expect(english).toBe('rankMax must be at least rankMin, which is 500')
  })

  it('has the slot or the round in front that it is of', async () => {
    const slot = { mod: 'NM', index: 1, beatmapId: 75 }
    const tell = async (slots: readonly object[]) => {
      const sent = { rounds: [{ name: 'Finals', slots }] }
      return (await site.told(await speak('en'), 'replaceRounds', sent))!.error.message
    }
    expect(await tell([slot, { ...slot, mod: 'HD', beatmapId: 0 }])).toContain(
      'Finals: HD1: The beatmap id must be from 1 to ',
    )
    expect(await tell([slot, slot])).toBe(
      'Finals: NM1: The number must be another number: NM1 has the same mod and index.',
    )
  })

  it('is no part of the answers of the API, which are in English alone (D-14)', async () => {
    const body = { name: '' }
    const keys = {
      packs: await site.house.hostOf(7003, 'Ada'),
      pools: await site.house.hostOf(7003, 'Ada', 'pools'),
    }
    for (const [host, path] of [
      [keys.packs, '/packs'],
      [keys.pools, '/tournaments'],
    ] as const) {
      const { status, json } = await host.ask('POST', path, { body })
      expect(status).toBe(400)
      expect(Object.keys(json.error)).not.toContain('problems')
      expect(json.error.message).toContain('name must have 1 to 64 characters')
    }
  })
})
