import type { FastifyReply } from 'fastify'
import type { Language } from '#texts/languages'
import type { Installation } from '../../domain/installation.ts'
import { timestamp } from '../../domain/quotas.ts'
import { type Body, sendDocument } from '../../door/answer.ts'
import { isolate } from '../../pool/text.ts'
import { inLanguage } from '../language.ts'
import { escapeHtml } from '../pages/html.ts'
import type { SiteContext } from '../site-context.ts'

/** Times are ms since the epoch; ids never change. */
export type Entry = {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly author: string
  readonly publishedAt: number
  readonly updatedAt: number
  readonly summary: string
}

type Feed = {
  /** Its address in English. It is the id of the feed in each language: all are the same feed (RFC 4287, 4.2.6). */
  readonly url: string
  /** Of the texts around what people have written, whose own language is not known. */
  readonly language: Language
  /** The page that shows the same. */
  readonly page: string
  readonly title: string
  readonly author: string
  readonly updatedAt: number
  readonly entries: readonly Entry[]
}

/** As of a page: readers of feeds have those of many sites. */
export const titleOf = (title: string, { name }: Pick<Installation, 'name'>): string =>
  `${title} – ${isolate(name)}`

/**
 * Atom 1.0 (RFC 4287). Readers fetch a feed again from its `self`, so that names its language. The links to pages do not: a
 * page is in the language of the person who opens it, or the link is sent to (D-109).
 */
export function feedXml(feed: Feed): string {
  const { url, language, page, title, author, updatedAt, entries } = feed
  const self = xmlText(inLanguage(language, url))
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">`,
    element('id', url),
    element('title', title),
    element('updated', timestamp(updatedAt)),
    authorXml(author),
    `<link rel="self" type="application/atom+xml" href="${self}"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(page)}"/>`,
    ...entries.map(entryXml),
    '</feed>',
    '',
  ].join('\n')
}

function entryXml({ id, url, title, author, publishedAt, updatedAt, summary }: Entry): string {
  return [
    '<entry>',
    element('id', id),
    element('title', title),
    element('published', timestamp(publishedAt)),
    element('updated', timestamp(updatedAt)),
    authorXml(author),
    `<link rel="alternate" type="text/html" href="${xmlText(url)}"/>`,
    element('summary', summary),
    '</entry>',
  ].join('\n')
}

function authorXml(name: string): string {
  return `<author>${element('name', name)}</author>`
}

function element(name: string, text: string): string {
  return `<${name}>${xmlText(text)}</${name}>`
}

/** Without the characters that XML 1.0 cannot hold, such as controls, however they are escaped. */
function xmlText(text: string): string {
  const allowed = text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
  return escapeHtml(allowed)
}

export const feedResponse = {
  status: 200,
  type: 'application/atom+xml; charset=utf-8',
  vary: 'Accept-Encoding',
  cache: 'public, max-age=0, must-revalidate',
} as const

/** Answers with a feed in a language. */
export function sendFeed(
  { compressed }: Pick<SiteContext, 'compressed'>,
  reply: FastifyReply,
  body: Body,
  language: Language,
): FastifyReply {
  void reply.header('content-language', language)
  return sendDocument(compressed, reply, body, feedResponse)
}
