import { ownerNameOf, type SavedPack } from '../../domain/packs.ts'
import type { Settings } from '../../door/context.ts'
import { isolate } from '../../pool/text.ts'
import type { PageHead } from './page-html.ts'

const countText = (count: number): string => (count === 1 ? '1 beatmap' : `${count} beatmaps`)

const starsText = ({ stats }: SavedPack): string => {
  if (stats === null || stats.srMin === null || stats.srMax === null) return ''
  const [least, most] = [stats.srMin.toFixed(2), stats.srMax.toFixed(2)]
  return least === most ? `, ${least}★` : `, ${least}–${most}★`
}

/** `19 beatmaps, 5.31–7.81★, by Peridot. What the owner says of it.` */
const describe = (pack: SavedPack, poolsOwnerName: string): string => {
  const facts = `${countText(pack.slots.length)}${starsText(pack)}, by ${isolate(ownerNameOf(pack, poolsOwnerName))}.`
  const words = pack.description?.replace(/\s+/g, ' ').trim() ?? ''
  return words === '' ? facts : `${facts} ${isolate(words)}`
}

/** Programs keep a picture for as long as its address stays: the address changes with the pack. */
export const pictureVersion = ({ updatedAt, stats }: SavedPack): string =>
  (updatedAt + Date.parse(stats?.computedAt ?? '1970-01-01')).toString(36)

/** The head of a pack's page: what chat programs and search engines tell of it. */
export const packHead = (pack: SavedPack, settings: Settings): PageHead => {
  const url = `${settings.siteUrl}/p/${pack.slug}`
  const isOpen = pack.visibility !== 'private' && pack.hiddenAt === null
  return {
    title: isolate(pack.name),
    description: describe(pack, settings.poolsOwnerName),
    url,
    ...(isOpen && {
      image: {
        url: `${url}/preview.png?v=${pictureVersion(pack)}`,
        alt: `The beatmaps of ${isolate(pack.name)} by bucket`,
      },
    }),
    ...(pack.visibility !== 'public' && { isUnlisted: true }),
  }
}
