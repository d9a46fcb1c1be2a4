import { judgeDocument, readWrites } from './document.ts'
import { differenceOf, type Report, unlike } from './report.ts'
import { Trials } from './trials.ts'
import type { Service } from './wire.ts'

const PACK = '/packs/{slug}'

const packOf = (name: string, beatmapId = 75) => ({
  name,
  visibility: 'private',
  slots: [{ mod: 'NM', index: 1, beatmapId }],
})

/** Slugs of one's own packs with this name, of the newest fifty. */
const slugsOf = async (service: Service, name: string): Promise<string[]> => {
  const { packs = [] } = (await service.get('/me/packs')).answer?.json ?? {}
  return packs
    .filter((pack: { name: string }) => pack.name === name)
    .map(({ slug }: { slug: string }) => slug)
}

/** Every write of the packs service with its answer lost and, but for POST, with a stale tag. */
export const tryPacksWrites = async (
  service: Service,
  report: Report,
  tag: string,
  turn: number,
): Promise<void> => {
  const trials = new Trials(service, report, turn)
  const name = `${tag} lost ${turn}`
  const made = await trials.post(
    { operation: 'POST /packs', path: '/packs', body: packOf(name) },
    () => slugsOf(service, name),
  )
  const slug = made.answer?.json?.pack?.slug
  if (slug === undefined) return
  const path = `/packs/${slug}`
  const history = `${path}/history`

  await trials.refuse(
    path,
    [
      { operation: `PUT ${PACK}`, path, body: packOf(`${name} stale`) },
      { operation: `DELETE ${PACK}`, path },
    ],
    () => service.ask('PUT', path, { body: packOf(name, 77) }),
  )
  const open = { operation: `PUT ${PACK}/history`, path: history, body: { public: true } }
  await trials.refuse(history, [open], () =>
    service.ask('PUT', path, { body: packOf(`${name} again`, 78) }),
  )

  const saved = packOf(`${name} saved`, 79)
  await trials.write({ operation: `PUT ${PACK}`, path, read: path, body: saved }, async () => {
    const { pack } = (await service.get(path)).answer?.json ?? {}
    const { total } = (await service.get(history)).answer?.json ?? {}
    const { name: is, slots } = pack ?? {}
    return (
      differenceOf({ name: saved.name, slots: saved.slots }, { name: is, slots }) ??
      isVersion(total)
    )
  })
  await trials.write({ ...open, read: history }, async () => {
    const { pack } = (await service.get(path)).answer?.json ?? {}
    return pack?.historyPublic === true ? null : 'the history is still closed'
  })
  await trials.write({ operation: `DELETE ${PACK}`, path, read: path }, async () =>
    unlike(await service.get(path), 404),
  )
  judgeDocument(service, await readWrites(service), trials, report, [])
}

/** The pack was saved four times, and a save makes one version, however often its request was sent. */
const SAVES = 4
const isVersion = (total: unknown): string | null =>
  total === SAVES ? null : `the history has ${String(total)} versions, not ${SAVES}`

/** A pack whose stats come while other things are tried. */
export type Awaited = { readonly path: string; readonly etag: string; readonly body: object }

export const awaitStats = async (service: Service, tag: string): Promise<Awaited> => {
  const body = packOf(`${tag} stats`)
  const { answer } = await service.ask('POST', '/packs', { body })
  const etag = answer?.headers.get('etag') ?? ''
  return { path: `/packs/${answer?.json?.pack?.slug}`, etag, body }
}

/** The tag of one's own save stays valid for a write when stats have come (D-86). */
export const tryDerived = async (
  service: Service,
  report: Report,
  { path, etag, body }: Awaited,
): Promise<void> => {
  const read = await service.get(path)
  if (read.answer?.json?.pack?.stats === undefined) {
    report.note('No stats came: whether tags outlast them was not tried.')
  } else {
    const written = await service.ask('PUT', path, { body, headers: { 'if-match': etag } })
    report.try('derived', unlike(written, 200), written)
  }
  await service.ask('DELETE', path)
}
