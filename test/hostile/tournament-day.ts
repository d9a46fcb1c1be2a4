import { expect } from 'vitest'
import { MAX_USAGE_IDS } from '../../src/contract/bounds.ts'
import type { RoundInput } from '../../src/contract/rounds.ts'
import { releaseDue } from '../../src/operations/releases.ts'
import type { Browser } from '../support/browser.ts'
import { openSiteHouse } from '../support/site-house.ts'
import { takeOver } from '../support/usage-scene.ts'
import { openOutsiders, type Outsider, pathsOf, type Seen } from './tournament-readers.ts'
import {
  type Cup,
  type CupRound,
  historyTexts,
  openTexts,
  readWhole,
  Secrets,
  textsOf,
} from './tournament-secrets.ts'

const HOST = 7001
const MODERATOR = 7003
const FORMER = 8001
const players = { stranger: 8002, moderator: MODERATOR, 'a former tester': FORMER }

/** Moderators read there what was public once. */
const records = /^\/session\/moderation\//

/** As `Secrets` makes them. */
const isBeatmap = (text: string): boolean => /^177[0-9]{7}$/.test(text)

/** Shows what earlier releases had: the histories, and pages that say which slots changed since. */
const ofHistory = /history|\.atom$|^\/[pt]\/[^/]+$/

/** A house with a host whose every text is known, and with everybody from whom they are kept. */
export const openDay = async () => {
  const house = await openSiteHouse()
  const { clock, ports } = house
  const secrets = new Secrets()
  await house.rename(HOST, secrets.word())
  const outsiders = await openOutsiders(house, players, 'moderator')
  await ports.accounts.setModerator(MODERATOR, true, clock.now())
  const host = await house.signedIn(HOST, 'pools')
  const moderator = await house.signedIn(MODERATOR, 'pools')
  const cups: Cup[] = []
  /** Whatever nobody but the staff may ever read. */
  const neverShown = new Set<string>([host.viewer!.username])
  const everMade = new Set<string>()
  const everShown = new Set<string>()
  const packs: string[] = []
  const items: string[] = ['AAAAAAAAAA']

  const call = async (
    browser: Browser,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const reply = await browser.ask(method, `/session${path}`, body, headers)
    if (reply.status === 429) {
      clock.nextMinute()
      return call(browser, method, path, body, headers)
    }
    expect(reply.status, `${method} ${path} ${reply.text}`).toBeLessThan(300)
    return reply.json
  }

  const pathOf = ({ slug }: Cup, round?: CupRound): string =>
    `/tournaments/${slug}${round ? `/rounds/${round.id}` : ''}`

  const learn = <T extends string>(texts: readonly T[]): T[] => {
    const own = texts.filter((each) => each !== '')
    for (const each of own) everMade.add(each)
    return own
  }

  const newFacts = () => ({
    name: secrets.word(),
    shortName: secrets.word(),
    description: secrets.word(),
    link: `https://${secrets.word().toLowerCase()}.example/`,
  })

  const make = async (isPublic: boolean, isAnnounced = false): Promise<Cup> => {
    const facts = newFacts()
    const visibility = isPublic ? 'public' : 'private'
    const body = { ...facts, visibility, announceRounds: isAnnounced }
    const { tournament } = await call(host, 'POST', '/tournaments', body)
    const { slug }: { slug: string } = tournament
    const cup = { slug, facts: Object.values(facts), isPublic, isAnnounced }
    learn([slug, ...cup.facts])
    const whole: Cup = { ...cup, isHidden: false, rounds: [] }
    cups.push(whole)
    const path = `/tournaments/${slug}/staff/${FORMER}`
    await call(host, 'PUT', path, { role: 'tester' })
    return whole
  }

  const newInput = (isWhole = true): RoundInput => ({
    name: secrets.word(),
    packName: secrets.word(),
    bestOf: 9,
    bans: 2,
    targets: { stars: { min: secrets.fraction() }, bpm: { max: secrets.fraction() } },
    slots: [
      { mod: 'NM', index: 1, beatmapId: secrets.beatmapId() },
      { mod: secrets.word(), index: 1, beatmapId: secrets.beatmapId() },
      ...(isWhole ? [] : [{ mod: 'TB' as const, index: 1, placeholder: secrets.word() }]),
    ],
  })

  const addRound = async (cup: Cup, isWhole = true): Promise<CupRound> => {
    const input = newInput(isWhole)
    const { round } = await call(host, 'POST', `${pathOf(cup)}/rounds`, input)
    const added: CupRound = { id: round.id, input, releaseAt: null, released: null }
    learn([added.id, ...textsOf(input)])
    cup.rounds.push(added)
    return added
  }

  const edit = async (cup: Cup, round: CupRound, isWhole = true): Promise<void> => {
    const path = pathOf(cup, round)
    const etag = (await host.ask('GET', `/session${path}`)).headers.get('etag') ?? ''
    const input = newInput(isWhole)
    await call(host, 'PUT', path, input, { 'if-match': etag })
    round.input = input
    learn(textsOf(input))
  }

  const fill = async (cup: Cup, round: CupRound): Promise<void> => {
    const [first, ...others] = round.input.slots ?? []
    const beatmapId = secrets.beatmapId()
    learn([String(beatmapId)])
    const change = { mod: 'NM', index: 1, from: { beatmapId: first?.beatmapId }, to: { beatmapId } }
    await call(host, 'PATCH', `${pathOf(cup, round)}/slots`, { changes: [change] })
    round.input = { ...round.input, slots: [{ mod: 'NM', index: 1, beatmapId }, ...others] }
  }

  const noteRelease = (round: CupRound, packSlug: string): void => {
    const before = round.released
    const isHidden = before?.isHidden ?? false
    const earlier = before === null ? [] : [...before.earlier]
    if (before !== null && !before.wasHidden) earlier.push(before.input)
    round.released = { input: round.input, packSlug, isHidden, earlier, wasHidden: isHidden }
    round.releaseAt = null
    if (!packs.includes(packSlug)) packs.push(packSlug)
  }

  const release = async (cup: Cup, round: CupRound): Promise<void> => {
    clock.advance(1_111)
    const reply = await call(host, 'PUT', `${pathOf(cup, round)}/release`, { at: 'now' })
    noteRelease(round, reply.round.packSlug)
  }

  const schedule = async (cup: Cup, round: CupRound): Promise<void> => {
    const at = new Date(clock.now() + 9 * 3_600_000 + 417 + everMade.size).toISOString()
    learn([at])
    await call(host, 'PUT', `${pathOf(cup, round)}/release`, { at })
    round.releaseAt = at
  }

  const withdraw = async (cup: Cup, round: CupRound): Promise<void> => {
    await call(host, 'PUT', `${pathOf(cup, round)}/release`, { at: null })
    if (round.releaseAt === null) round.released = null
    round.releaseAt = null
  }

  /** What the worker does when a time has come. */
  const come = async (cup: Cup, round: CupRound): Promise<void> => {
    // A moment later, so that the time of the release is not the scheduled one.
    clock.advance(Math.max(0, Date.parse(round.releaseAt ?? '') + 7 - clock.now()))
    expect(await releaseDue(ports, { slug: cup.slug, roundId: round.id })).toBe(true)
    const saved = (await ports.tournaments.read(cup.slug))!.rounds.find(({ id }) => id === round.id)
    noteRelease(round, saved!.released!.packSlug)
  }

  const patch = async (cup: Cup, changes: object): Promise<void> => {
    await call(host, 'PATCH', pathOf(cup), changes)
  }

  const rename = async (cup: Cup): Promise<void> => {
    const facts = newFacts()
    await patch(cup, facts)
    cup.facts = learn(Object.values(facts))
  }

  /** All that is said and given of a round without changing it. */
  const discuss = async (cup: Cup, round: CupRound): Promise<void> => {
    const path = pathOf(cup, round)
    const beatmapId = secrets.beatmapId()
    const [note, text] = [secrets.word(), secrets.word()]
    const place = { mod: 'NM', index: 1 }
    const { candidate } = await call(host, 'POST', `${path}/candidates`, {
      ...place,
      beatmapId,
      note,
    })
    await call(host, 'PUT', `${path}/candidates/${candidate.id}/vote`, { vote: 1 })
    const { remark } = await call(host, 'POST', `${path}/remarks`, { ...place, text })
    const made = await call(host, 'POST', `${pathOf(cup)}/invitations`, { role: 'tester' })
    const token: string = made.url.split('/').at(-1)
    await call(host, 'GET', `${pathOf(cup)}/checks`)
    for (const each of [String(beatmapId), note, text, token, candidate.id, remark.id]) {
      neverShown.add(each)
    }
    items.push(candidate.id, remark.id, made.invitation.id)
    neverShown.add(made.invitation.id)
  }

  const hide = async (cup: Cup, action: 'hide' | 'unhide'): Promise<void> => {
    const path = `/moderation/tournaments/${cup.slug}/${action}`
    await call(moderator, 'POST', path, { reason: 'spam' })
    cup.isHidden = action === 'hide'
  }

  const dismiss = async (cup: Cup): Promise<void> => {
    await call(host, 'DELETE', `${pathOf(cup)}/staff/${FORMER}`)
  }

  /** Keeps what moderators may read now: what they have done is on record. */
  const note = (): Set<string> => {
    const open = openTexts(cups, 'packs')
    for (const each of open) everShown.add(each)
    return open
  }

  /** What of the hidden things a moderator reads at this path. */
  const hiddenThere = ({ service, door }: Outsider, path: string) => {
    if (service === 'packs') return 'packs'
    return door === 'site' && /^\/(?:t\/[^/]+|session\/moderation\/tournaments.*)$/.test(path)
      ? 'tournaments'
      : null
  }

  /** Everything that outsiders get, by who asks for which path. Nothing of it may show what is not for them. */
  const look = async (): Promise<ReadonlyMap<string, Seen>> => {
    // What visitors read of the front page is two seconds old at most.
    clock.advance(2_500)
    await house.publishIndex()
    await takeOver(house.ports)
    const open = openTexts(cups)
    const hidden = { packs: note(), tournaments: openTexts(cups, 'tournaments') }
    const history = historyTexts(cups)
    const secret = [...everMade, ...neverShown].filter((each) => !open.has(each))
    const known = {
      tournaments: cups.map(({ slug, rounds }) => ({ slug, rounds: rounds.map(({ id }) => id) })),
      packs: [...packs, 'AAAAAAAAAA'],
      items,
    }
    const seen = new Map<string, Seen>()
    const shown: string[] = []
    const lookAs = async (outsider: Outsider): Promise<void> => {
      for (const path of pathsOf(outsider, known)) {
        const answer = await outsider.ask('GET', path)
        expect(answer.status, `${outsider.name} GET ${path} ${answer.text}`).toBeLessThan(500)
        seen.set(`${outsider.name} GET ${path}`, answer)
        const whole = readWhole([answer.text, ...answer.headers].join('\n'))
        const isRecord = outsider.isModerator && records.test(path)
        const mayRead = outsider.isModerator ? hiddenThere(outsider, path) : null
        for (const each of secret) {
          if (!whole.includes(each) || (isRecord && everShown.has(each))) continue
          if (mayRead !== null && hidden[mayRead].has(each)) continue
          if (history.has(each) && ofHistory.test(path)) continue
          shown.push(`${outsider.name} GET ${path} (${answer.status}) shows ${each}`)
        }
      }
    }
    for (const outsider of outsiders) {
      await lookAs(outsider)
      if (outsider.service === 'pools') await searchAs(outsider, secret)
      shown.push(...(await usageAs(outsider, secret, [...open])))
    }
    expect(shown).toEqual([])
    return seen
  }

  /** Who searches for what they are not to see finds as much as for what is not there. */
  const searchAs = async (outsider: Outsider, secret: readonly string[]): Promise<void> => {
    const find = async (word: string): Promise<string> => {
      const path = `${outsider.door === 'api' ? '' : '/session'}/tournaments?search=${word}`
      return JSON.stringify(await outsider.ask('GET', path)).replaceAll(word, '')
    }
    const none = await find('Qv99999zk')
    const hidden = cups.flatMap(({ facts, rounds }) => [
      ...facts.slice(0, 2),
      ...rounds.map(({ input }) => input.name),
    ])
    for (const word of hidden.filter((each) => secret.includes(each))) {
      expect(await find(word), `${outsider.name} searches for ${word}`).toBe(none)
    }
  }

  /** Nobody learns from the usage of a beatmap that a draft has it, nor anything secret from one that they may know. */
  const usageAs = async (
    outsider: Outsider,
    secret: readonly string[],
    open: readonly string[],
  ): Promise<string[]> => {
    if (outsider.service === 'packs' && outsider.door === 'api') return []
    const root = outsider.door === 'api' ? '' : '/session'
    const read = async (ids: readonly string[]): Promise<string> => {
      const { status, text } = await outsider.ask('GET', `${root}/beatmaps/usage?ids=${ids.join()}`)
      expect(status, text).toBe(200)
      return text
    }
    const hidden = secret.filter(isBeatmap)
    for (let at = 0; at < hidden.length; at += MAX_USAGE_IDS) {
      const text = await read(hidden.slice(at, at + MAX_USAGE_IDS))
      expect(text, outsider.name).not.toMatch(/"slug"|"drafts"|"total":[1-9]/)
    }
    const known = open.filter(isBeatmap).slice(-MAX_USAGE_IDS)
    const text = known.length === 0 ? '' : await read(known)
    return secret
      .filter((each) => text.includes(each))
      .map((each) => `${outsider.name} reads ${each} in the usage of beatmaps`)
  }

  return {
    house,
    outsiders,
    cups,
    secrets,
    make,
    addRound,
    edit,
    fill,
    release,
    schedule,
    withdraw,
    come,
    patch,
    rename,
    discuss,
    hide,
    dismiss,
    look,
    note,
    packs,
    items,
  }
}

export type Day = Awaited<ReturnType<typeof openDay>>
