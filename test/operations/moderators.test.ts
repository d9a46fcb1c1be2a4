import { Compile } from 'typebox/compile'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LogEntry, ModeratedPack } from '../../src/contract/moderation.ts'
import { asOperator, presentLogEntry, presentModeratedPack } from '../../src/domain/moderation.ts'
import type { Session } from '../../src/domain/sessions.ts'
import { nameModerator } from '../../src/operations/accounts.ts'
import {
  findPlayers,
  hidePack,
  listModerated,
  moderatePack,
  orderPins,
  readModerationLog,
} from '../../src/operations/moderation.ts'
import { createPack } from '../../src/operations/packs.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { moderator, signedIn, viewerOf } from '../support/signed-in.ts'

const house = async () => {
  const opened = await openHouse()
  onTestFinished(opened.close)
  const { ports } = opened
  const ada = (await signedIn(opened)).viewer
  const peridot = await moderator(opened)
  const save = async (visibility: 'private' | 'unlisted' | 'public' = 'public', name = 'Cup') =>
    (await createPack(ports, ada.accountId, aPack({ visibility, name }))).slug
  const find = async (query = '', only: 'hidden' | 'pinned' | null = null) =>
    (await listModerated(ports, peridot, { query, only }, 1)).rows.map(({ pack }) => pack.slug)
  const pinned = async () => (await ports.packs.listPinned()).map(({ slug }) => slug)
  return { ...opened, ada, peridot, save, find, pinned }
}

const notFound = {
  code: 'not_found',
  message: 'there is no unlisted or public pack with this slug',
}
const actions = ['hide', 'unhide', 'pin', 'unpin'] as const

describe('what a moderator does', () => {
  test('hide: gone for others, with a reason and a name for moderators', async () => {
    const { ports, peridot, save, host } = await house()
    const slug = await save()
    const reader = await host()
    const row = await moderatePack(ports, peridot, slug, 'hide', '  off topic ')
    const shown = presentModeratedPack(row, peridot, 'Tournament pools')
    expect([...Compile(ModeratedPack).Errors(shown)]).toEqual([])
    expect(shown).toMatchObject({
      slug,
      hiddenReason: 'off topic',
      hiddenBy: 'Peridot',
      ownerGameId: 4711,
      isMine: false,
    })
    expect((await reader.get(`/packs/${slug}`)).status).toBe(404)
    const back = await moderatePack(ports, peridot, slug, 'unhide', 'a mistake')
    const again = presentModeratedPack(back, peridot, 'Tournament pools')
    expect(again).not.toHaveProperty('hiddenBy')
    expect(again).not.toHaveProperty('hiddenReason')
    expect((await reader.get(`/packs/${slug}`)).status).toBe(200)
  })

  test('D-30: hiding a pinned pack takes it out of the row', async () => {
    const { ports, peridot, save, pinned } = await house()
    const slug = await save()
    await moderatePack(ports, peridot, slug, 'pin')
    expect(await pinned()).toEqual([slug])
    await moderatePack(ports, peridot, slug, 'hide', 'off topic')
    expect(await pinned()).toEqual([])
    await moderatePack(ports, peridot, slug, 'unhide', 'a mistake')
    expect(await pinned()).toEqual([])
  })

  test('is written down: who, what, when, which pack, why; newest first', async () => {
    const { ports, peridot, save, clock } = await house()
    const slug = await save('public', 'Autumn Cup')
    await moderatePack(ports, peridot, slug, 'pin')
    clock.advance(1000)
    await hidePack(ports, slug)
    const { rows: notes, total } = await readModerationLog(ports, peridot, 1)
    const entries = notes.map(presentLogEntry)
    const check = Compile(LogEntry)
    expect(entries.flatMap((entry) => [...check.Errors(entry)])).toEqual([])
    const about = { slug, packName: 'Autumn Cup' }
    expect(entries).toEqual([
      { at: new Date(clock.now()).toISOString(), moderator: null, action: 'hide', ...about },
      {
        at: new Date(clock.now() - 1000).toISOString(),
        moderator: 'Peridot',
        action: 'pin',
        ...about,
      },
    ])
    expect(total).toBe(2)
    expect((await readModerationLog(ports, peridot, 2)).rows).toEqual([])
  })

  test('a moderator who is gone has done it as nobody known', async () => {
    const { ports, peridot, save } = await house()
    const slug = await save()
    await moderatePack(ports, peridot, slug, 'pin')
    await ports.accounts.remove(peridot.accountId, 0)
    const other = await moderator({ ports }, { gameId: 98, username: 'Shige' })
    const [note] = (await readModerationLog(ports, other, 1)).rows
    expect(presentLogEntry(note!).moderator).toBe('Unknown player')
  })
})

describe('the pinned row', () => {
  test('D-30: is put into the order asked for; others in the row meanwhile are a conflict', async () => {
    const { ports, peridot, save, pinned } = await house()
    const slugs = [await save(), await save(), await save()]
    for (const slug of slugs) await moderatePack(ports, peridot, slug, 'pin')
    expect(await pinned()).toEqual(slugs)
    await orderPins(ports, peridot, slugs.toReversed())
    expect(await pinned()).toEqual(slugs.toReversed())
    const conflict = {
      code: 'conflict',
      message: 'the pinned packs have changed; reload the page and try again',
    }
    await expect(orderPins(ports, peridot, slugs.slice(1))).rejects.toMatchObject(conflict)
    await expect(orderPins(ports, peridot, [])).rejects.toMatchObject(conflict)
    await moderatePack(ports, peridot, slugs[0]!, 'unpin')
    await expect(orderPins(ports, peridot, slugs)).rejects.toMatchObject(conflict)
    expect(await pinned()).toEqual([slugs[2], slugs[1]])
  })
})

describe('what moderators see (D-30)', () => {
  test('public and unlisted packs, hidden ones too; never private ones', async () => {
    const { ports, peridot, save, find } = await house()
    const [open, unlisted] = [await save('public', 'Cup'), await save('unlisted', 'Cup two')]
    await save('private', 'Cup three')
    await moderatePack(ports, peridot, open, 'hide', 'off topic')
    expect(new Set(await find())).toEqual(new Set([open, unlisted]))
    expect(await find(' cup TWO ')).toEqual([unlisted])
    expect(await find('', 'hidden')).toEqual([open])
    expect(await find('', 'pinned')).toEqual([])
  })

  test.each(actions)('%s: a private pack and a missing one are the same', async (action) => {
    const { ports, peridot, save } = await house()
    const slug = await save('private')
    for (const each of [slug, 'aaaaaaaaaa']) {
      const act = moderatePack(ports, peridot, each, action, 'off topic')
      await expect(act).rejects.toMatchObject(notFound)
    }
  })

  test("not even a moderator's own private pack", async () => {
    const { ports, peridot, find } = await house()
    const own = await createPack(ports, peridot.accountId, aPack({ visibility: 'private' }))
    expect(await find()).toEqual([])
    const act = moderatePack(ports, peridot, own.slug, 'hide', 'off topic')
    await expect(act).rejects.toMatchObject(notFound)
  })
})

test('players are found by name and by id, those without an account too, by what is not white space', async () => {
  const { ports, ada, peridot } = await house()
  const find = async (query: string) =>
    (await findPlayers(ports, peridot, query, 1)).rows.map(({ gameId }) => gameId)
  for (const query of [ada.username ?? '', String(ada.gameId)]) {
    expect(await find(`\t${query} `)).toEqual([ada.gameId])
  }
  expect(await find(' 999 ')).toEqual([999])
  expect(await find('0999')).toEqual([])
  expect(await find(' ')).toEqual([])
})

describe('who is no moderator', () => {
  const attempts: Record<
    string,
    (ports: never, viewer: Session, slug: string) => Promise<unknown>
  > = {
    hide: (ports, viewer, slug) => moderatePack(ports, viewer, slug, 'hide', 'off topic'),
    unhide: (ports, viewer, slug) => moderatePack(ports, viewer, slug, 'unhide', 'off topic'),
    pin: (ports, viewer, slug) => moderatePack(ports, viewer, slug, 'pin'),
    unpin: (ports, viewer, slug) => moderatePack(ports, viewer, slug, 'unpin'),
    'order pins': (ports, viewer) => orderPins(ports, viewer, []),
    list: (ports, viewer) => listModerated(ports, viewer, { query: '', only: null }, 1),
    'read the log': (ports, viewer) => readModerationLog(ports, viewer, 1),
  }

  test.each(Object.keys(attempts))('may not %s, not even as the owner', async (name) => {
    const { ports, ada, save } = await house()
    const slug = await save()
    await expect(attempts[name]!(ports as never, ada, slug)).rejects.toMatchObject({
      name: 'AppError',
      code: 'forbidden',
      message: 'only moderators can do this',
    })
    expect(await ports.packs.read(slug)).toMatchObject({ hiddenAt: null, pinnedRank: null })
  })

  test('a moderator is one while the operator says so, at once in a running session', async () => {
    const opened = await house()
    const { ports } = opened
    const { token } = await signedIn(opened)
    const isModerator = async () => (await viewerOf(opened, token)).isModerator
    const by = asOperator('asked for it')
    const ada = { gameId: 4711, isModerator: true, by }
    expect(await nameModerator(ports, ada)).toMatchObject({
      changed: true,
      account: { username: 'Ada', isModerator: true },
    })
    expect((await nameModerator(ports, ada)).changed).toBe(false)
    expect(await isModerator()).toBe(true)
    expect((await nameModerator(ports, { ...ada, isModerator: false })).changed).toBe(true)
    expect(await isModerator()).toBe(false)
    expect((await nameModerator(ports, { ...ada, gameId: 12345 })).account).toBeNull()
    const { rows } = await ports.packs.readLog(1, 10)
    const noted = rows.map(({ action, subject, slug, packName, by: who, reason }) => {
      return [action, subject, slug, packName, who, reason]
    })
    expect(noted).toEqual([
      ['appoint', 'player', '12345', '', 'operator', 'asked for it'],
      ['dismiss', 'player', '4711', 'Ada', 'operator', 'asked for it'],
      ['appoint', 'player', '4711', 'Ada', 'operator', 'asked for it'],
    ])
  })
})
