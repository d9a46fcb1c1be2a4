import { randomUUID } from 'node:crypto'
import { differenceOf, type Report } from './report.ts'
import type { Exchange, Service } from './wire.ts'

const CALLERS = 4

/** By number, with blanks between. */
const sorted = (statuses: readonly number[]): string =>
  statuses.toSorted((one, other) => one - other).join(' ')

const statusesOf = (exchanges: readonly Exchange[]): string =>
  sorted(exchanges.map(({ answer }) => answer?.status ?? 0))

const expectStatuses = (
  exchanges: readonly Exchange[],
  won: number,
  lost: number,
): string | null => {
  const wanted = sorted([won, ...Array<number>(CALLERS - 1).fill(lost)])
  const got = statusesOf(exchanges)
  return got === wanted ? null : `${got}, not ${wanted}`
}

const atOnce = (ask: (at: number) => Promise<Exchange>): Promise<Exchange[]> =>
  Promise.all(Array.from({ length: CALLERS }, (_, at) => ask(at)))

/** The same body with the same key at the same moment makes one thing, of which all are told. */
const postAtOnce = async (
  service: Service,
  report: Report,
  path: string,
  body: object,
): Promise<Exchange> => {
  const headers = { 'idempotency-key': randomUUID() }
  const exchanges = await atOnce(() => service.ask('POST', path, { body, headers }))
  const texts = new Set(exchanges.map(({ answer }) => answer?.text))
  const wrong =
    statusesOf(exchanges) !== Array(CALLERS).fill(201).join(' ')
      ? `${statusesOf(exchanges)} with one Idempotency-Key`
      : texts.size === 1
        ? null
        : `${texts.size} answers with one Idempotency-Key`
  report.try('races', wrong === null ? null : `POST ${path}: ${wrong}`, exchanges[0])
  return exchanges[0]!
}

export const racePacks = async (service: Service, report: Report, tag: string): Promise<void> => {
  const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
  const body = { name: `${tag} race`, visibility: 'private', slots }
  const made = await postAtOnce(service, report, '/packs', body)
  const slug = made.answer?.json?.pack?.slug
  if (slug === undefined) return
  const path = `/packs/${slug}`
  const headers = { 'if-match': made.answer?.headers.get('etag') ?? '' }
  const exchanges = await atOnce((at) =>
    service.ask('PUT', path, { body: { ...body, name: `${tag} race ${at}` }, headers }),
  )
  const winner = exchanges.find(({ answer }) => answer?.status === 200)
  const now = (await service.get(path)).answer?.json?.pack?.name
  const wrong =
    expectStatuses(exchanges, 200, 412) ??
    differenceOf(winner?.answer?.json.pack.name, now, 'the name of who won')
  report.try('races', wrong === null ? null : `PUT ${path}: ${wrong}`, winner ?? exchanges[0])
  await service.ask('DELETE', path)
}

export const racePools = async (service: Service, report: Report, tag: string): Promise<void> => {
  const made = await service.ask('POST', '/tournaments', { body: { name: `${tag} race` } })
  const path = `/tournaments/${made.answer?.json?.tournament?.slug}`
  const slots = [75, 76].map((beatmapId, at) => ({ mod: 'NM', index: at + 1, beatmapId }))
  const first = await postAtOnce(service, report, `${path}/rounds`, { name: 'Finals', slots })
  const round = `${path}/rounds/${first.answer?.json?.round?.id}`
  const slotsNow = async () => (await service.get(round)).answer?.json?.round?.slots
  const change = (index: number, from: number, to: number) =>
    service.ask('PATCH', `${round}/slots`, {
      body: { changes: [{ mod: 'NM', index, from: { beatmapId: from }, to: { beatmapId: to } }] },
    })

  const contended = await atOnce((at) => change(1, 75, 100 + at))
  const winner = contended.findIndex(({ answer }) => answer?.status === 200)
  const won = { ...slots[0], beatmapId: 100 + winner }
  const wrong =
    expectStatuses(contended, 200, 409) ?? differenceOf([won, slots[1]], await slotsNow(), 'slots')
  const patch = `PATCH ${round}/slots`
  report.try('races', wrong === null ? null : `${patch} of one slot: ${wrong}`, contended[0])

  const disjoint = await Promise.all([change(1, 100 + winner, 201), change(2, 76, 202)])
  const both = [
    { ...slots[0], beatmapId: 201 },
    { ...slots[1], beatmapId: 202 },
  ]
  const lost =
    statusesOf(disjoint) === '200 200'
      ? differenceOf(both, await slotsNow(), 'slots')
      : `${statusesOf(disjoint)}, not 200 200`
  report.try('races', lost === null ? null : `${patch} of two slots: ${lost}`, disjoint[0])
  await service.ask('DELETE', path)
}
