import { isDeepStrictEqual } from 'node:util'
import { NO_SLOT } from '../../../contract/bounds.ts'
import type { Round, SlotContent } from '../../../contract/rounds.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import { englishLine } from '../../../pool/english-differences.ts'
import type { Place } from '../../../pool/pool.ts'
import {
  detailNames,
  slotContent,
  slotFields,
  type SlotFilling,
  slotWords,
} from '../../../pool/round-fields.ts'
import { foldCode, placeOf, slotLabel } from '../../../pool/slots.ts'
import { CliError, usageError } from '../../program.ts'
import { hasCode } from '../errors.ts'
import { plain } from '../screen.ts'
import { connectPools } from '../service.ts'
import { type CliContext, jsonOption, type UserCommand } from '../user-command.ts'
import { contentWords, roundNamed } from './round-text.ts'

export const slotCommand: UserCommand = {
  details: `Change a slot of a round: to a beatmap, by id or link, to a placeholder such as "custom map, due Sunday", or
to nothing ("-"), or to no slot ("none"), which removes it. A slot that is not there is added. What is known of a
planned map (--title and so on) goes beside CONTENT; what is not given stays unless the beatmap changes, and ""
removes it. The slot is only changed if it still holds what was read, or what --was says; otherwise nothing is changed,
and what it holds now is printed. For hosts and poolers.`,
  options: [
    {
      name: 'was',
      takes: 'CONTENT',
      about: 'what the slot must hold: a beatmap, a text, -, or none',
    },
    { name: 'artist', takes: 'TEXT', field: 'to.details.artist', about: 'artist of the map' },
    { name: 'title', takes: 'TEXT', field: 'to.details.title', about: 'title of the map' },
    {
      name: 'difficulty',
      takes: 'TEXT',
      field: 'to.details.difficulty',
      about: 'name of its difficulty',
    },
    { name: 'mapper', takes: 'TEXT', field: 'to.details.mapper', about: 'who makes it' },
    {
      name: 'link',
      takes: 'URL',
      field: 'to.link',
      about: 'where it can be had until it has an id, https://…',
    },
    jsonOption,
  ],
  words: ['SLUG', 'ROUND', 'SLOT', 'CONTENT'],
  fields: {
    mod: 'the bucket of SLOT',
    'to.placeholder': 'CONTENT',
    'to.beatmapId': 'CONTENT',
    'from.placeholder': '--was',
    'from.beatmapId': '--was',
  },
  examples: [
    'mapcrate tournament slot dG91cm5hbW Quarterfinals NM3 129891',
    'mapcrate tournament slot dG91cm5hbW Quarterfinals TB "custom map, due Sunday"',
    'mapcrate tournament slot dG91cm5hbW Quarterfinals TB - --artist Camellia --title "Tidal Clock"',
    'mapcrate tournament slot dG91cm5hbW Quarterfinals NM3 - --was 129891',
    'mapcrate tournament slot dG91cm5hbW Quarterfinals FM4 none',
  ],
  async run(context) {
    const { words, options, screen } = context
    const [, name = '', label = '', content = ''] = words
    const wanted = readContent(content)
    if (wanted === NO_SLOT) refuseDetails(options)
    const was = options.get('was')
    const { client, slug } = await connectPools(context)
    const round = roundNamed(await client.getTournament(slug()), name)
    const { mod, index, filling } = slotAt(round, label)
    const current = slotContent(filling)
    const from = was === undefined ? current : withKnown(readContent(was), current)
    const to = withDetails(wanted, from, options)
    const change = { mod, index, from, to }
    try {
      const saved = await client.changeSlots(slug(), round.id, [change])
      const isSame = isDeepStrictEqual(from, to)
      if (isSame) screen.note('Nothing was changed.')
      if (options.has('json')) return screen.json(saved)
      if (isSame) return
    } catch (error) {
      if (!hasCode(error, 'conflict') || error.slots === null) throw error
      const [now] = error.slots
      const label = slotLabel({ mod, index })
      const state = now === undefined ? 'is not there' : `now holds ${slotWords(now)}`
      throw new CliError(`${label} ${state}; nothing was changed`)
    }
    const { removed, added } = screen.paint
    const line = englishLine({
      what: plain(slotLabel({ mod, index })),
      from: removed(plain(contentWords(from))),
      to: added(plain(contentWords(to))),
    })
    screen.out(`${line}\n`)
  },
}

function readContent(text: string): SlotContent {
  const trimmed = text.trim()
  if (trimmed === '-') return null
  if (trimmed === NO_SLOT) return NO_SLOT
  if (trimmed === '') throw usageError('CONTENT is empty; give a beatmap, a text, - or none')
  if (/^\d{1,10}$/.test(trimmed)) return { beatmapId: Number(trimmed) }
  const [target] = findTargets(trimmed)
  if (target === undefined) return { placeholder: trimmed }
  if (target.beatmapId !== null) return { beatmapId: target.beatmapId }
  throw usageError(`${trimmed} leads to a set; give the link of one of its beatmaps`)
}

const LABEL = /^(?:\p{L}|\p{N})*\p{L}(?:\p{L}|\p{N})*(?: \d{1,2})?$|^\d{1,2}$/u

/** The place of this label, in any case, and what is there; undefined: no slot. */
function slotAt({ slots }: Round, label: string): Place & { filling: SlotFilling | undefined } {
  const fold = foldCode(label.trim())
  const found = slots.find((slot) => foldCode(slotLabel(slot)) === fold)
  if (found !== undefined) return { mod: found.mod, index: found.index, filling: found }
  const place = placeOf(fold)
  if (LABEL.test(label.trim()) && place.index > 0) return { ...place, filling: undefined }
  throw usageError(`"${label}" is no slot; give one as NM3, TB, or "RC1 2"`)
}

function refuseDetails(options: CliContext['options']): void {
  const given = [...detailNames, 'link'].find((name) => options.has(name))
  if (given !== undefined) throw usageError(`--${given} is for a slot; CONTENT says none`)
}

type Filled = Exclude<SlotContent, null | typeof NO_SLOT>

const fillingOf = (content: SlotContent): Filled =>
  content === null || content === NO_SLOT ? {} : content

const hold = (filling: SlotFilling): SlotContent =>
  slotContent(slotFields.sent(slotFields.stored(filling)))

/** `--was` names what is in the slot; its details and link need not be given. */
function withKnown(was: SlotContent, current: SlotContent): SlotContent {
  if (was === NO_SLOT || current === NO_SLOT) return was
  const { details, link } = fillingOf(current)
  return hold({ ...(details && { details }), ...(link !== undefined && { link }), ...was })
}

/** The content with what is given of the beatmap; the rest stays as long as the slot does not get another beatmap. */
function withDetails(
  wanted: SlotContent,
  from: SlotContent,
  options: CliContext['options'],
): SlotContent {
  if (wanted === NO_SLOT) return wanted
  const given = detailNames.flatMap((name) => {
    const text = options.get(name)
    return text === undefined ? [] : [[name, text] as const]
  })
  const old = fillingOf(from)
  const isOther = old.beatmapId !== undefined && fillingOf(wanted).beatmapId !== old.beatmapId
  const known = isOther ? {} : old
  const all = { ...known.details, ...Object.fromEntries(given) }
  const details = Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ''))
  const link = options.get('link') ?? known.link ?? ''
  return hold({ ...wanted, details, ...(link !== '' && { link }) })
}
