import type { KnownSlot, BeatmapPage } from '../../contract/page-data.ts'
import type { SearchReply } from '../../contract/search.ts'
import type { Tournament } from '../../contract/tournaments.ts'
import type { SavedPack } from '../../domain/packs.ts'
import { timestamp } from '../../domain/quotas.ts'
import type { Settings } from '../../door/context.ts'
import { slotLabel } from '../../pool/slots.ts'
import { isolate } from '../../pool/text.ts'

/** What a page shows, in the words of schema.org, for search engines. */
export type StructuredData = { readonly '@context': string; readonly '@type': string } & Readonly<
  Record<string, unknown>
>

function thing(type: string, facts: Readonly<Record<string, unknown>>): StructuredData {
  return { '@context': 'https://schema.org', '@type': type, ...facts }
}

/** The page about something that has no language of its own, or one that is not known. */
const pageAbout = (url: string, inLanguage: string) => ({
  mainEntityOfPage: { '@type': 'WebPage', url, inLanguage },
})

/** The site itself, with the search that a search engine may offer. */
export function siteData(
  { siteUrl, installation }: Pick<Settings, 'siteUrl' | 'installation'>,
  description: string,
  inLanguage: string,
): StructuredData {
  return thing('WebSite', {
    name: installation.name,
    url: `${siteUrl}/`,
    description,
    inLanguage,
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${siteUrl}/packs?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  })
}

/** A list of packs, as Browse begins with it. */
export function packListData(
  siteUrl: string,
  name: string,
  { packs }: SearchReply,
  language: string,
): StructuredData {
  const listed = packs.map(({ entry }) => ({
    name: isolate(entry.n),
    url: `${siteUrl}/p/${entry.s}`,
  }))
  const url = `${siteUrl}/packs`
  return thing('ItemList', { name, url, ...pageAbout(url, language), ...itemsOf(listed) })
}

/** Whose a pack is: a player's, or a round's of a tournament. */
export type PackMaker =
  | { readonly owner: string }
  | {
      /** Names the round and the tournament, in the language of the page. */
      readonly credit: string
      readonly tournament: { readonly name: string; readonly url: string }
    }

/** A public pack with its beatmaps, named where they are known. */
export function packData(
  pack: SavedPack,
  url: string,
  maker: PackMaker,
  language: string,
  beatmaps: readonly KnownSlot[] = [],
): StructuredData {
  const named = new Map(beatmaps.map(({ id, details }) => [id, details]))
  const items = pack.slots.map((slot) => {
    const details = named.get(slot.beatmapId)
    const beatmap = details && `${details.artist} – ${details.title} [${details.difficulty}]`
    return { name: `${slotLabel(slot)}: ${beatmap ?? slot.beatmapId}` }
  })
  return thing('CreativeWork', {
    name: isolate(pack.name),
    url,
    ...pageAbout(url, language),
    ...(pack.description && { description: isolate(pack.description) }),
    ...('owner' in maker
      ? { author: { '@type': 'Person', name: isolate(maker.owner) } }
      : {
          alternateName: maker.credit,
          isPartOf: {
            '@type': 'CreativeWork',
            name: isolate(maker.tournament.name),
            url: maker.tournament.url,
          },
        }),
    dateCreated: timestamp(pack.createdAt),
    dateModified: timestamp(pack.updatedAt),
    mainEntity: { '@type': 'ItemList', ...itemsOf(items) },
  })
}

/** A public tournament with the rounds that were released. */
export function tournamentData(
  tournament: Tournament,
  url: string,
  siteUrl: string,
  language: string,
): StructuredData {
  const { name, description, year, rounds, updatedAt } = tournament
  return thing('CreativeWork', {
    name: isolate(name),
    url,
    ...pageAbout(url, language),
    ...(description && { description: isolate(description) }),
    ...(year !== undefined && { temporalCoverage: String(year) }),
    dateModified: updatedAt,
    hasPart: rounds.map((round) => ({
      '@type': 'CreativeWork',
      name: isolate(round.name),
      ...(round.packSlug !== undefined && { url: `${siteUrl}/p/${round.packSlug}` }),
    })),
  })
}

/** A beatmap, and the packs of this page of its uses. */
export function beatmapData(
  { details, usage }: BeatmapPage,
  url: string,
  siteUrl: string,
  language: string,
): StructuredData {
  const isKnown = details !== null && details !== 'gone'
  const packs = new Map(usage.uses.map(({ slug, packName }) => [slug, packName]))
  return thing('CreativeWork', {
    url,
    ...pageAbout(url, language),
    ...(isKnown && {
      name: `${isolate(details.title)} [${isolate(details.difficulty)}]`,
      creator: { '@type': 'Person', name: isolate(details.mapper) },
      about: {
        '@type': 'MusicRecording',
        name: isolate(details.title),
        byArtist: { '@type': 'MusicGroup', name: isolate(details.artist) },
      },
    }),
    isPartOf: Array.from(packs, ([slug, name]) => ({
      '@type': 'CreativeWork',
      name: isolate(name),
      url: `${siteUrl}/p/${slug}`,
    })),
  })
}

/** Somebody who has public packs. */
export function ownerData(name: string, url: string, inLanguage: string): StructuredData {
  const mainEntity = { '@type': 'Person', name: isolate(name), url }
  return thing('ProfilePage', { url, inLanguage, mainEntity })
}

/** The overview of the docs. */
export function overviewData(
  name: string,
  description: string,
  url: string,
  inLanguage: string,
): StructuredData {
  return thing('CollectionPage', { name, description, url, inLanguage })
}

/** A guide of the docs; title and description are in its language. */
export function guideData(
  title: string,
  description: string,
  url: string,
  inLanguage: string,
): StructuredData {
  return thing('TechArticle', { headline: title, description, url, inLanguage })
}

/** Where a page is on the site, from the front page on. */
export function breadcrumbs(
  { ownUrl, installation }: Pick<Settings, 'ownUrl' | 'installation'>,
  ...pages: readonly (readonly [name: string, url: string])[]
): StructuredData {
  const all = [[installation.name, `${ownUrl}/`] as const, ...pages]
  return thing('BreadcrumbList', {
    itemListElement: all.map(([name, item], at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item,
    })),
  })
}

function itemsOf(items: readonly { readonly name: string; readonly url?: string }[]) {
  return {
    numberOfItems: items.length,
    itemListElement: items.map((item, at) => ({ '@type': 'ListItem', position: at + 1, ...item })),
  }
}
