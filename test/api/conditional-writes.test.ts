import { afterAll, describe, expect, it, test } from 'vitest'
import { DISCORD_URL_EXAMPLE } from '../../src/contract/announcements.ts'
import { refusals } from '../../src/contract/errors.ts'
import { endpointsOf } from '../../src/contract/services.ts'
import { moderateTournament } from '../../src/operations/tournaments.ts'
import { expectError, type Reply } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { deleteRound, restorePath } from './deleted-round.ts'
import { aCandidate, aRemark, propose, remark } from './discussion-scene.ts'
import { aChange, aRound, newScene, type Scene } from './tournament-scene.ts'

const house = await openHouse({ settings: { sendsToDiscord: true } })
afterAll(() => house.close())

type Target = {
  /** Where what the address names is read, with its tag. */
  readonly read: string
  /** Where it is written; left out: there, too. */
  readonly write?: string
  readonly body?: object
  /** Somebody else's change of it; resolves to the answer. */
  readonly change: () => Promise<{ readonly status: number }>
}
type Case = (scene: Scene, other: Host) => Promise<Target> | Target

const renamed = aRound({ name: 'Semifinals' })
const ofTournament = ({ host, path }: Scene): Target => ({
  read: path,
  change: () => host.ask('PATCH', path, { body: { name: 'Winter Cup' } }),
})
const ofRound = ({ host, roundPath, as }: Scene): Target => ({
  read: roundPath,
  change: async () => host.ask('PUT', roundPath, { body: renamed, headers: await as(roundPath) }),
})
const ofCandidate: Case = async (scene, other) => {
  const read = await propose(other, scene)
  return { read, change: () => scene.host.ask('PUT', `${read}/vote`, { body: { vote: 1 } }) }
}
const ofRemark: Case = async (scene, other) => {
  const read = await remark(other, scene)
  return { read, change: () => scene.host.ask('PATCH', read, { body: { settled: true } }) }
}
const ofMember: Case = ({ host, path }, other) => {
  const read = `${path}/staff/${other.gameId}`
  return { read, change: () => host.ask('PUT', read, { body: { role: 'referee' } }) }
}
const targeting =
  (target: Case, body?: (scene: Scene) => object, below = ''): Case =>
  async (scene, other) => {
    const found = await target(scene, other)
    const write = `${found.read}${below}`
    return { ...found, write, ...(body !== undefined && { body: body(scene) }) }
  }

/** Each write of the tournament-pools service but POST. */
const cases: Readonly<Record<string, Case>> = {
  updateTournament: targeting(ofTournament, () => ({ name: 'Summer Cup' })),
  deleteTournament: ofTournament,
  replaceRounds: targeting(
    ofTournament,
    ({ id }) => ({ rounds: [{ id, ...aRound() }] }),
    '/rounds',
  ),
  replaceRound: targeting(ofRound, () => aRound({ bestOf: 9 })),
  deleteRound: ofRound,
  changeSlots: targeting(ofRound, () => aChange, '/slots'),
  releaseRound: targeting(ofRound, () => ({ at: 'now' }), '/release'),
  setRole: targeting(ofMember, () => ({ role: 'tester' })),
  removeMember: ofMember,
  voteOnCandidate: targeting(ofCandidate, () => ({ vote: -1 }), '/vote'),
  moveCandidate: targeting(ofCandidate, () => ({ mod: 'HD', index: 1 })),
  removeCandidate: ofCandidate,
  updateRemark: targeting(ofRemark, () => ({ settled: true })),
  removeRemark: ofRemark,
}

const conditional = Object.entries(endpointsOf.pools).filter(([, { method }]) =>
  ['PUT', 'PATCH', 'DELETE'].includes(method),
)

test('D-86: each PUT, PATCH and DELETE takes If-Match', () => {
  expect(Object.keys(cases).toSorted()).toEqual(conditional.map(([name]) => name).toSorted())
  for (const [name, { conditional: isTaken, errors }] of conditional) {
    expect(isTaken, name).toBeTruthy()
    expect(errors, name).toContain(412)
  }
})

describe.each(conditional)('%s with If-Match (D-86)', (name, { method }) => {
  const prepare = async () => {
    const scene = await newScene(house)
    const other = await scene.staff('pooler')
    const target = await cases[name]!(scene, other)
    const path = target.write ?? target.read
    const ask = (tag: string, at = path) =>
      scene.host.ask(method, at, {
        headers: { 'if-match': tag },
        ...(target.body !== undefined && { body: target.body }),
      })
    const tagNow = async () => (await scene.host.get(target.read)).headers.get('etag') ?? ''
    return { ...scene, ...target, path, other, ask, tagNow }
  }

  it('goes through with the tag of what the address names, in any coding', async () => {
    const { ask, tagNow } = await prepare()
    const tag = (await tagNow()).replace(/"$/, '-br"')
    expect((await ask(`"another", ${tag}`)).status).toBeLessThan(300)
  })

  it('is 412 once somebody has changed that, with a weak tag, and with one that never was; nothing changes', async () => {
    const { host, ask, tagNow, change, read } = await prepare()
    const stale = await tagNow()
    expect((await change()).status).toBe(200)
    const before = (await host.get(read)).text
    const now = await tagNow()
    for (const tag of [stale, `W/${now}`, '"x"', now.replace(/.(?=")/, '~')]) {
      expectError(await ask(tag), 'precondition_failed', refusals.changedMeanwhile[1])
    }
    expect((await host.get(read)).text).toBe(before)
    expect((await ask(now)).status).toBeLessThan(300)
  })

  it('is 400 for what is no list of tags', async () => {
    const { ask } = await prepare()
    expectError(await ask('abc'), 'bad_request', /^If-Match must be/)
  })

  it('is the same with * for strangers as where there is nothing (D-60)', async () => {
    const { path, body } = await prepare()
    const stranger = await house.host('pools')
    const missing = path.replace(/(?<=^\/tournaments\/)[\w-]+/, 'AAAAAAAAAA')
    const texts = new Set<string>()
    for (const at of [path, missing]) {
      for (const tag of ['*', '"any"']) {
        const reply = await stranger.ask(method, at, {
          headers: { 'if-match': tag },
          ...(body !== undefined && { body }),
        })
        texts.add(`${tag} ${reply.status} ${reply.text}`)
      }
    }
    expect(texts.size).toBe(2)
  })

  it('is 412 with * where there is nothing', async () => {
    const { ask, path } = await prepare()
    // The last part of the address that names something.
    const missing = path.replace(/[\w-]{10}(?=\/?[a-z]*$)|\d+$/, (id) =>
      /^\d+$/.test(id) ? '999999' : 'AAAAAAAAAA',
    )
    expectError(await ask('*', missing), 'precondition_failed', refusals.nothingHereToMatch[1])
  })
})

describe('the tag of an answer, sent back with the next write of what it is about (D-86)', () => {
  const next = (reply: Reply) => ({ 'if-match': reply.headers.get('etag') ?? '' })

  it.each(conditional.filter(([, { success }]) => success.schema !== null))(
    '%s',
    async (name, { method }) => {
      const scene = await newScene(house)
      const { read, write = read, body } = await cases[name]!(scene, await scene.staff('pooler'))
      const first = await scene.host.ask(method, write, { body, headers: await scene.as(read) })
      expect(first.status, first.text).toBe(200)
      const reply = await scene.host.ask(method, write, { body, headers: next(first) })
      // Slots are no longer as in `from`.
      expect(reply.status, reply.text).toBe(name === 'changeSlots' ? 409 : 200)
    },
  )

  /** Each POST of one thing, and where that is. */
  const posts: Readonly<Record<string, (scene: Scene) => Promise<readonly [Reply, string]>>> = {
    createTournament: async ({ host }) => {
      const reply = await host.ask('POST', '/tournaments', { body: { name: 'Winter Cup' } })
      return [reply, `/tournaments/${reply.json.tournament.slug}`]
    },
    createRound: async ({ host, path }) => {
      const reply = await host.ask('POST', `${path}/rounds`, { body: renamed })
      return [reply, `${path}/rounds/${reply.json.round.id}`]
    },
    restoreRound: async (scene) => {
      await remark(scene.host, scene)
      await deleteRound(house, scene)
      return [await scene.host.ask('POST', restorePath(scene)), scene.roundPath]
    },
    proposeCandidate: async ({ host, roundPath }) => {
      const reply = await host.ask('POST', `${roundPath}/candidates`, { body: aCandidate })
      return [reply, `${roundPath}/candidates/${reply.json.candidate.id}`]
    },
    addRemark: async ({ host, roundPath }) => {
      const reply = await host.ask('POST', `${roundPath}/remarks`, { body: aRemark })
      return [reply, `${roundPath}/remarks/${reply.json.remark.id}`]
    },
  }

  it('each POST is here', () => {
    const all = Object.entries(endpointsOf.pools).filter(([, { method }]) => method === 'POST')
    expect(Object.keys(posts).toSorted()).toEqual(all.map(([name]) => name).toSorted())
  })

  it.each(Object.entries(posts))('%s', async (_, post) => {
    const scene = await newScene(house)
    const [reply, path] = await post(scene)
    expect(reply.status, reply.text).toBeLessThan(300)
    const gone = await scene.host.ask('DELETE', path, { headers: next(reply) })
    expect(gone.status, gone.text).toBe(204)
  })
})

describe('a name that its player changes on the platform (D-86)', () => {
  it.each([
    'setRole',
    'removeMember',
    'voteOnCandidate',
    'removeCandidate',
    'updateRemark',
    'removeRemark',
  ])('leaves the tag of %s valid for the write, and is new to who reads', async (name) => {
    const scene = await newScene(house)
    const other = await scene.staff('pooler')
    const target = await cases[name]!(scene, other)
    const before = (await scene.host.get(target.read)).headers.get('etag') ?? ''
    const player = { gameId: other.gameId, username: `Renamed ${name}` }
    await house.ports.accounts.ensurePlayer(player, 'unused', house.clock.now())
    const read = await scene.host.ask('GET', target.read, {
      headers: { 'if-none-match': before },
    })
    expect(read.status).toBe(200)
    expect(read.text).toContain(`Renamed ${name}`)
    const { method } = endpointsOf.pools[name]!
    const reply = await scene.host.ask(method, target.write ?? target.read, {
      headers: { 'if-match': before },
      ...(target.body !== undefined && { body: target.body }),
    })
    expect(reply.status, reply.text).toBeLessThan(300)
  })
})

describe('what nobody has saved leaves the tag valid for the write, and is new to who reads (D-86)', () => {
  it.each<[string, string, (scene: Scene) => Promise<unknown>]>([
    [
      'a channel that was switched off',
      '',
      ({ slug }) =>
        house.alter(
          `update tournament set discord_off = 'gone', mark = mark + 1 where slug = '${slug}'`,
        ),
    ],
    [
      'a moderator who hides the tournament',
      '',
      async ({ slug }) =>
        moderateTournament(house.ports, slug, 'hide', { moderatorId: null, reason: null }),
    ],
    [
      'a deleted round in a limit',
      'staff',
      async ({ host, path, as }) => {
        const { rounds } = (await host.get(path)).json.tournament
        const at = `${path}/rounds/${rounds[1].id}`
        return host.ask('DELETE', at, { headers: await as(at) })
      },
    ],
  ])('%s', async (_, below, change) => {
    const scene = await newScene(house)
    const { host, path } = scene
    await host.ask('PATCH', path, { body: { discordUrl: DISCORD_URL_EXAMPLE } })
    await scene.publish()
    const { round } = (
      await host.ask('POST', `${path}/rounds`, { body: aRound({ name: 'Finals' }) })
    ).json
    const member = await house.host('pools')
    const staff = `${path}/staff/${member.gameId}`
    const rounds = [scene.id, round.id]
    await host.ask('PUT', staff, { body: { role: 'pooler', rounds } })
    house.clock.nextMinute()
    const [at, method, body] =
      below === ''
        ? ([path, 'PATCH', { name: 'Winter Cup' }] as const)
        : ([staff, 'PUT', { role: 'referee', rounds: [scene.id] }] as const)
    const before = (await host.get(at)).headers.get('etag') ?? ''
    await change(scene)
    const read = await host.get(at, { 'if-none-match': before })
    expect(read.status).toBe(200)
    const reply = await host.ask(method, at, { body, headers: { 'if-match': before } })
    expect(reply.status, reply.text).toBe(200)
  })
})

it('another address of the channel, which no answer has, makes a tag stale (D-48, D-97)', async () => {
  const { host, path } = await newScene(house)
  const set = (discordUrl: string, tag?: string) =>
    host.ask('PATCH', path, {
      body: { discordUrl },
      headers: tag === undefined ? {} : { 'if-match': tag },
    })
  const first = (await set(DISCORD_URL_EXAMPLE)).headers.get('etag') ?? ''
  const other = `${DISCORD_URL_EXAMPLE}?thread_id=998877665544332211`
  expect((await set(DISCORD_URL_EXAMPLE, first)).status).toBe(200)
  const second = (await set(other, first)).headers.get('etag') ?? ''
  expectError(await set(DISCORD_URL_EXAMPLE, first), 'precondition_failed')
  expect((await set(DISCORD_URL_EXAMPLE, second)).status).toBe(200)
})

it('If-Match on somebody who is still to be added to the staff is 412, whatever it names (D-86)', async () => {
  const scene = await newScene(house)
  const player = await house.host('pools')
  const path = `${scene.path}/staff/${player.gameId}`
  for (const tag of ['"any"', '*']) {
    const reply = await scene.host.ask('PUT', path, {
      body: { role: 'tester' },
      headers: { 'if-match': tag },
    })
    expectError(reply, 'precondition_failed', refusals.nothingHereToMatch[1])
  }
})

describe('Location of what was made leads to it', () => {
  it.each([
    ['candidates', aCandidate],
    ['remarks', aRemark],
  ])('%s', async (noun, body) => {
    const { host, roundPath } = await newScene(house)
    const made = await host.ask('POST', `${roundPath}/${noun}`, { body })
    const location = made.headers.get('location') ?? ''
    const read = await host.get(location.slice(location.indexOf('/tournaments/')))
    expect(read).toMatchObject({ status: 200, json: made.json })
    expect(read.headers.get('etag')).toBe(made.headers.get('etag'))
  })
})
