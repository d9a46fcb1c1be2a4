import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connection.ts'
import { MapcrateError } from '../../src/client/errors.ts'
import { type PacksClient, packsClient, packsOperations } from '../../src/client/packs.ts'
import type { PoolsClient } from '../../src/client/pools-client.ts'
import { poolsClient, poolsOperations } from '../../src/client/tournaments.ts'
import type { Pack } from '../../src/contract/packs.ts'
import { packsApi, poolsApi } from '../../src/contract/services.ts'
import { withoutQuotas } from '../api/spend.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { type Fault, hurried, openFaultProxy } from './fault-proxy.ts'

const house = await openHouse({ withPorts: withoutQuotas })
const proxies = {
  packs: await openFaultProxy(house.doors.packs.url),
  pools: await openFaultProxy(house.doors.pools.url),
}
afterAll(async () => {
  await Promise.all([proxies.packs.close(), proxies.pools.close()])
  await house.close()
})

let packs: PacksClient
/** Of somebody else. */
let reader: PacksClient
let pools: PoolsClient
let gameId: number

// Each test with accounts of its own: one hosts 20 tournaments at most.
beforeEach(async () => {
  const [own, another, hosting, other] = [
    await house.host(),
    await house.host(),
    await house.host('pools'),
    await house.host('pools'),
  ]
  const shared = { timeout: 3_000_000, pace: false }
  const packsOptions = { ...shared, baseUrl: proxies.packs.url, key: own.key }
  const poolsOptions = { ...shared, baseUrl: proxies.pools.url, key: hosting.key }
  packs = packsClient(connect(packsOperations(), packsOptions, hurried))
  const readerOptions = { ...packsOptions, key: another.key }
  reader = packsClient(connect(packsOperations(), readerOptions, hurried))
  pools = poolsClient(connect(poolsOperations, poolsOptions, hurried))
  gameId = other.gameId
})

type Tagged = { readonly etag: string | null }
type PackMatch = Pack | string | null | undefined

/** What is written: what it is before, and how it is read again. */
type Made = {
  readonly slug: string
  readonly round: string
  readonly id: string
  readonly pack: Pack
  readonly state: () => Promise<unknown>
}

type Write = {
  readonly service: 'packs' | 'pools'
  readonly make: () => Promise<Made>
  /** What holds the tag of what is written. */
  readonly tagged: (made: Made) => Promise<Tagged>
  readonly call: (made: Made, ifMatch: PackMatch) => Promise<unknown>
  /** Takes the pack as it was read, too. */
  readonly takesPacks?: true
}

const orGone = (read: Promise<unknown>) =>
  read.catch((error: unknown) => {
    if (error instanceof MapcrateError && error.code === 'not_found') return null
    throw error
  })

const makePack = async (): Promise<Made> => {
  const pack = await packs.createPack(aPack({ visibility: 'unlisted' }))
  const { slug } = pack
  const state = async () => {
    const read = (await orGone(packs.getPack(slug))) as Pack | null
    if (read === null) return null
    const { name, updatedAt } = read
    const isOpen = (await orGone(reader.getHistory(slug))) !== null
    return { name, updatedAt, isOpen }
  }
  return { slug, round: '', id: '', pack, state }
}

const makeRound = async (): Promise<Made> => {
  const { slug } = await pools.createTournament({ name: 'Harbour Lights Cup' })
  const slots = [
    { mod: 'NM', index: 1, beatmapId: 75 },
    { mod: 'NM', index: 2, beatmapId: 78 },
  ]
  const { id: round } = await pools.createRound(slug, { name: 'Finals', slots })
  const state = async () => {
    const tournament = await orGone(pools.getTournament(slug))
    if (tournament === null) return null
    return { tournament, staff: await pools.listStaff(slug) }
  }
  return { slug, round, id: '', pack: {} as Pack, state }
}

const makeMember = async (): Promise<Made> => {
  const made = await makeRound()
  await pools.setRole(made.slug, gameId, 'referee')
  return made
}

const makeCandidate = async (): Promise<Made> => {
  const made = await makeRound()
  const { slug, round } = made
  const { id } = await pools.proposeCandidate(slug, round, { mod: 'NM', index: 1, beatmapId: 76 })
  return { ...made, id, state: () => orGone(pools.getCandidate(slug, round, id)) }
}

const makeRemark = async (): Promise<Made> => {
  const made = await makeRound()
  const { slug, round } = made
  const { id } = await pools.addRemark(slug, round, { text: 'Too long' })
  return { ...made, id, state: () => orGone(pools.getRemark(slug, round, id)) }
}

const match = (ifMatch: PackMatch) => ({ ifMatch: ifMatch as string | null | undefined })
const required = (ifMatch: PackMatch) => ({ ifMatch: ifMatch as string })
const pack = {
  service: 'packs',
  make: makePack,
  tagged: ({ slug }: Made) => packs.getPack(slug).withResponse(),
} as const
const tournament = {
  service: 'pools',
  make: makeRound,
  tagged: ({ slug }: Made) => pools.getTournament(slug).withResponse(),
} as const
const round = {
  service: 'pools',
  make: makeRound,
  tagged: (made: Made) => pools.getRound(made.slug, made.round).withResponse(),
} as const
const member = {
  service: 'pools',
  make: makeMember,
  tagged: ({ slug }: Made) => pools.getMember(slug, gameId).withResponse(),
} as const
const candidate = {
  service: 'pools',
  make: makeCandidate,
  tagged: (made: Made) => pools.getCandidate(made.slug, made.round, made.id).withResponse(),
} as const
const remark = {
  service: 'pools',
  make: makeRemark,
  tagged: (made: Made) => pools.getRemark(made.slug, made.round, made.id).withResponse(),
} as const

const writes: Readonly<Record<string, Write>> = {
  replacePack: {
    ...pack,
    takesPacks: true,
    call: (made, ifMatch) => packs.replacePack(made.slug, aPack({ name: 'New' }), { ifMatch }),
  },
  deletePack: {
    ...pack,
    takesPacks: true,
    call: ({ slug }, ifMatch) => packs.deletePack(slug, { ifMatch }),
  },
  setHistoryPublic: {
    ...pack,
    tagged: ({ slug }) => packs.getHistory(slug).withResponse(),
    call: ({ slug }, ifMatch) =>
      packs.setHistoryPublic(slug, true, { ifMatch: (ifMatch as string | null) ?? undefined }),
  },
  updateTournament: {
    ...tournament,
    call: ({ slug }, ifMatch) => pools.updateTournament(slug, { name: 'New' }, match(ifMatch)),
  },
  deleteTournament: {
    ...tournament,
    call: ({ slug }, ifMatch) => pools.deleteTournament(slug, match(ifMatch)),
  },
  replaceRounds: {
    ...tournament,
    call: ({ slug }, ifMatch) => pools.replaceRounds(slug, [], required(ifMatch)),
  },
  replaceRound: {
    ...round,
    call: (made, ifMatch) =>
      pools.replaceRound(made.slug, made.round, { name: 'New' }, required(ifMatch)),
  },
  deleteRound: {
    ...round,
    call: (made, ifMatch) => pools.deleteRound(made.slug, made.round, required(ifMatch)),
  },
  changeSlots: {
    ...round,
    call: (made, ifMatch) => {
      const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 75 }, to: { beatmapId: 77 } }]
      return pools.changeSlots(made.slug, made.round, changes, match(ifMatch))
    },
  },
  releaseRound: {
    ...round,
    call: (made, ifMatch) =>
      pools.releaseRound(made.slug, made.round, '2090-01-01T00:00:00Z', match(ifMatch)),
  },
  setRole: {
    ...member,
    call: ({ slug }, ifMatch) => pools.setRole(slug, gameId, 'tester', match(ifMatch)),
  },
  removeMember: {
    ...member,
    call: ({ slug }, ifMatch) => pools.removeMember(slug, gameId, match(ifMatch)),
  },
  voteOnCandidate: {
    ...candidate,
    call: (made, ifMatch) =>
      pools.voteOnCandidate(made.slug, made.round, made.id, 1, match(ifMatch)),
  },
  moveCandidate: {
    ...candidate,
    call: (made, ifMatch) => {
      const place = { mod: 'NM', index: 2 }
      return pools.moveCandidate(made.slug, made.round, made.id, place, match(ifMatch))
    },
  },
  removeCandidate: {
    ...candidate,
    call: (made, ifMatch) => pools.removeCandidate(made.slug, made.round, made.id, match(ifMatch)),
  },
  updateRemark: {
    ...remark,
    call: (made, ifMatch) => {
      const patch = { text: 'Much too long' }
      return pools.updateRemark(made.slug, made.round, made.id, patch, match(ifMatch))
    },
  },
  removeRemark: {
    ...remark,
    call: (made, ifMatch) => pools.removeRemark(made.slug, made.round, made.id, match(ifMatch)),
  },
}

const api = { ...packsApi, ...poolsApi }
const conditional = Object.entries(api).flatMap(([name, endpoint]) =>
  'conditional' in endpoint && endpoint.conditional !== undefined
    ? [{ name, isRequired: endpoint.conditional === 'required' }]
    : [],
)

const badGateway = { status: 502, body: '<html>Bad gateway</html>' } as const
/** What happens to the attempts of a write, and whether any of their answers is lost behind it. */
const moments: readonly (readonly Fault[])[] = [
  [],
  ['lose'],
  ['drop'],
  [badGateway],
  ['lose', 'drop'],
  ['drop', 'lose'],
  ['lose', badGateway, 'lose'],
  ['lose', 'lose', 'lose', 'lose'],
]

type Form = 'none' | 'null' | '*' | 'tag' | 'weak tag' | 'other tag' | 'pack' | 'copy'
const forms: readonly Form[] = ['none', 'null', '*', 'tag', 'weak tag', 'other tag', 'pack', 'copy']

const matchOf = async (form: Form, write: Write, made: Made): Promise<PackMatch> => {
  const { etag } = await write.tagged(made)
  const values: Readonly<Record<Form, PackMatch>> = {
    none: undefined,
    null: null,
    '*': '*',
    tag: etag,
    'weak tag': `W/${etag}`,
    'other tag': '"other"',
    pack: made.pack,
    copy: undefined,
  }
  return values[form]
}

it('of each conditional write of both services is in the model', () => {
  expect(Object.keys(writes).toSorted()).toEqual(conditional.map(({ name }) => name).toSorted())
})

describe.each(conditional)('an answer to $name that is lost', ({ name, isRequired }) => {
  const write = writes[name]!
  const own = forms.filter((form) => {
    if (form === 'copy') return name === 'replacePack'
    if (form === 'pack') return write.takesPacks
    return !isRequired || form.includes('tag')
  })

  it.each(own)('is not said to have changed nothing, with If-Match %s', async (form) => {
    for (const faults of moments) {
      const made = await write.make()
      const ifMatch = await matchOf(form, write, made)
      const before = await made.state()
      proxies[write.service].expect(...faults)
      const sent =
        form === 'copy'
          ? packs.replacePack(made.slug, { ...made.pack, name: 'New' })
          : write.call(made, ifMatch)
      const error = await sent.then(
        () => null,
        (reason: unknown) => reason,
      )
      proxies[write.service].expect()
      const isChanged = JSON.stringify(await made.state()) !== JSON.stringify(before)
      const told = `${JSON.stringify(faults)}: ${String(error)}`
      if (error === null) expect(isChanged, told).toBe(true)
      else {
        expect(error, told).toBeInstanceOf(MapcrateError)
        const { code } = error as MapcrateError
        if (isChanged) expect(['unreachable', 'unexpected_answer'], told).toContain(code)
        // Without a fault, it is done or refused.
        if (faults.length === 0)
          expect([code, form], told).toEqual(['precondition_failed', 'other tag'])
      }
      const isReadBack = name === 'replacePack' || name === 'deletePack'
      if (isReadBack && faults.length < 4 && form !== 'other tag') expect(error, told).toBe(null)
    }
  })
})

/** What tells two tournaments of the same host apart, though the same was done to them. */
const own = /"(?:slug|id|packSlug|gameId)":(?:"[\w-]+"|\d+)|"\d{4}-\d\d-\d\dT[\d:.]+Z"/g
const shapeOf = async ({ state }: Made) => JSON.stringify(await state()).replaceAll(own, '"own"')

const twoReleases = async (): Promise<Made> => {
  const made = await makeRound()
  await pools.releaseRound(made.slug, made.round, 'now')
  await pools.releaseRound(made.slug, made.round, '2090-01-01T00:00:00Z')
  return made
}
const withdrawal = {
  ...round,
  make: twoReleases,
  call: (made: Made, ifMatch: PackMatch) =>
    pools.releaseRound(made.slug, made.round, null, match(ifMatch)),
}
const withTagAlone = new Set(
  conditional.flatMap(({ name, isRequired }) => (isRequired ? name : [])),
)
const anyState = Object.entries({ ...writes, withdrawal }).flatMap(([name, write]) =>
  (['none', '*', 'tag'] as const).flatMap((form) =>
    form === 'none' && withTagAlone.has(name) ? [] : [{ name, write, form }],
  ),
)

it.each(anyState)(
  '$name with If-Match $form does no more than once what it does, whatever answers are lost',
  async ({ write, form }) => {
    const once = await write.make()
    const before = await shapeOf(once)
    await write.call(once, await matchOf(form, write, once))
    const after = await shapeOf(once)
    for (const faults of moments) {
      const made = await write.make()
      const ifMatch = await matchOf(form, write, made)
      proxies[write.service].expect(...faults)
      await write.call(made, ifMatch).catch(() => {})
      proxies[write.service].expect()
      expect([before, after], JSON.stringify(faults)).toContain(await shapeOf(made))
    }
  },
)

const refusing = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  status,
  headers,
  body: JSON.stringify({ error: { code, message: 'not now' } }),
})

it.each([
  ['a limit that lasts too long', refusing(429, 'rate_limited', { 'retry-after': '900' })],
  ['a hold of the operator', refusing(503, 'unavailable', { 'retry-after': '900' })],
  ['a key that was replaced', refusing(401, 'invalid_api_key')],
])('%s says nothing of what was sent before it', async (_, refusal) => {
  proxies.packs.expect('lose', refusal, refusal, refusal)
  const made = packs.createPack(aPack())
  await expect(made).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/is unknown.*read again/),
  })
  proxies.packs.expect(refusal)
  const { code } = JSON.parse((refusal as { body: string }).body).error
  await expect(packs.createPack(aPack())).rejects.toMatchObject({ code })
  proxies.packs.expect('drop', refusal)
  await expect(packs.listMyPacks()).rejects.toMatchObject({ code })
  proxies.packs.expect()
  expect((await packs.listMyPacks()).total).toBe(1)
})

describe('a deletion of a pack that is sent again', () => {
  const lost: Fault[] = ['lose']

  it.each([undefined, '*'] as const)(
    'is done where the pack is gone, whoever deleted it: If-Match %s',
    async (ifMatch) => {
      const { slug } = await packs.createPack(aPack())
      proxies.packs.expect(...lost)
      await expect(packs.deletePack(slug, { ifMatch })).resolves.toBeUndefined()
      await expect(packs.getPack(slug)).rejects.toMatchObject({ code: 'not_found' })
    },
  )

  it('is refused as it would be at first where the pack is there, and of somebody else', async () => {
    const { slug } = await packs.createPack(aPack({ visibility: 'public' }))
    for (const faults of [[], lost]) {
      proxies.packs.expect(...faults)
      await expect(reader.deletePack(slug)).rejects.toMatchObject({ code: 'not_found' })
    }
    expect((await packs.getPack(slug)).slug).toBe(slug)
  })

  it('is refused for what the last attempt was refused for where the pack is still there', async () => {
    const { slug } = await packs.createPack(aPack())
    proxies.packs.expect('drop', refusing(429, 'rate_limited', { 'retry-after': '900' }))
    await expect(packs.deletePack(slug)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfter: 900,
    })
  })
})

it('is told with the failure, and with what to do', async () => {
  const made = await makeRound()
  const { etag } = await tournament.tagged(made)
  proxies.pools.expect('lose')
  const sent = pools.updateTournament(made.slug, { name: 'New' }, { ifMatch: etag })
  await expect(sent).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/is unknown.*read again/),
  })
})
