// What a program does with each client: make a pack and a tournament, read them, and change a slot.

const begin = `declare const process: { argv: string[] }
const [packsUrl = '', poolsUrl = '', packsKey = '', poolsKey = ''] = process.argv.slice(2)
const headersOf = (key: string) => ({ Authorization: \`Bearer \${key}\` })
const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('refused')
  return value
}
const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
const change = { mod: 'NM', index: 1, from: { beatmapId: 75 }, to: { beatmapId: 129891 } }
`

const end = `
console.log(JSON.stringify({ pack, slug, round }))
`

export const programs: Readonly<Record<string, string>> = {
  'openapi-fetch': `import createClient from 'openapi-fetch'
import type { paths as PacksPaths } from './packs/schema'
import type { paths as PoolsPaths } from './pools/schema'
${begin}
const packs = createClient<PacksPaths>({ baseUrl: packsUrl, headers: headersOf(packsKey) })
const pools = createClient<PoolsPaths>({ baseUrl: poolsUrl, headers: headersOf(poolsKey) })

const made = must((await packs.POST('/packs', { body: { name: 'Finals', slots } })).data)
const read = await packs.GET('/packs/{slug}', { params: { path: { slug: made.pack.slug } } })
const { pack } = must(read.data)

const cup = must((await pools.POST('/tournaments', { body: { name: 'Cup' } })).data)
const { slug } = cup.tournament
const drafted = await pools.POST('/tournaments/{slug}/rounds', {
  params: { path: { slug } },
  body: { name: 'Finals', bestOf: 9, slots },
})
const path = { slug, round: must(drafted.data).round.id }
must((await pools.GET('/tournaments/{slug}/rounds/{round}', { params: { path } })).data)
const changed = await pools.PATCH('/tournaments/{slug}/rounds/{round}/slots', {
  params: { path },
  body: { changes: [change] },
})
const { round } = must(changed.data)
${end}`,

  'hey-api': `import { createClient as createPacks } from './packs/hey/client'
import { createPack, getPack } from './packs/hey/sdk.gen'
import { zPackInput, zPackReply } from './packs/hey/zod.gen'
import { createClient as createPools } from './pools/hey/client'
import { changeSlots, createRound, createTournament, getRound } from './pools/hey/sdk.gen'
import * as z from './pools/hey/zod.gen'
${begin}
const packs = createPacks({ baseUrl: packsUrl, auth: packsKey })
const pools = createPools({ baseUrl: poolsUrl, auth: poolsKey })

const made = await createPack({ client: packs, body: zPackInput.parse({ name: 'Finals', slots }) })
const read = await getPack({ client: packs, path: { slug: must(made.data).pack.slug } })
const { pack } = zPackReply.parse(must(read.data))

const input = z.zTournamentInput.parse({ name: 'Cup' })
const cup = await createTournament({ client: pools, body: input })
const { slug } = z.zTournamentReply.parse(must(cup.data)).tournament
const sent = z.zRoundInput.parse({ name: 'Finals', bestOf: 9, slots })
const drafted = await createRound({ client: pools, path: { slug }, body: sent })
const path = { slug, round: must(drafted.data).round.id }
z.zRoundReply.parse(must((await getRound({ client: pools, path })).data))
const changes = z.zSlotChanges.parse({ changes: [change] })
const changed = await changeSlots({ client: pools, path, body: changes })
const { round } = z.zRoundReply.parse(must(changed.data))
${end}`,

  orval: `import { createPack, getPack } from './packs/api'
import { createPackBody, getPackResponse } from './packs/zod'
import { changeSlots, createRound, createTournament, getRound } from './pools/api'
import * as z from './pools/zod'
${begin}
const ofPacks = { headers: headersOf(packsKey) }
const ofPools = { headers: headersOf(poolsKey) }

const made = await createPack(createPackBody.parse({ name: 'Finals', slots }), ofPacks)
if (made.status !== 201) throw new Error('refused')
const read = await getPack(made.data.pack.slug, ofPacks)
if (read.status !== 200) throw new Error('refused')
const { pack } = getPackResponse.parse(read.data)

const cup = await createTournament(z.createTournamentBody.parse({ name: 'Cup' }), ofPools)
if (cup.status !== 201) throw new Error('refused')
const { slug } = cup.data.tournament
const sent = z.createRoundBody.parse({ name: 'Finals', bestOf: 9, slots })
const drafted = await createRound(slug, sent as Parameters<typeof createRound>[1], ofPools)
if (drafted.status !== 201) throw new Error('refused')
const id = drafted.data.round.id
const draft = await getRound(slug, id, undefined, ofPools)
z.getRoundResponse.parse(draft.data)
const changes = z.changeSlotsBody.parse({ changes: [change] })
const changed = await changeSlots(slug, id, changes as Parameters<typeof changeSlots>[2], ofPools)
if (changed.status !== 200) throw new Error('refused')
const { round } = changed.data
${end}`,
}
