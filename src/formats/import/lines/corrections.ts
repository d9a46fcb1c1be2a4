import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import { say } from '../import-message.ts'
import { asked, type Finding, LONGEST_LINE, skipped, slotReading } from '../readings.ts'
import { namesSlot } from '../words/bucket-names.ts'
import { type BucketCodes, isKnown, type Label, readLabel } from '../words/labels.ts'
import { withoutPaths } from '../words/links.ts'
import { isTitleAsked } from './items.ts'

const phrases = [
  '(?<!\\p{L})(?:(?:is|are|has been|was) (?:now|(?:changed|swapped|switched|replaced))|(?:changed|swapped|switched) (?:to|for|with)|replaced (?:by|with)|replac(?:es|ing)',
  'ersetzt durch|geändert (?:in|zu|auf)|cambiado (?:por|a)|reemplazado por|trocado (?:por|para)|substituído por|remplacé par|changé (?:en|pour)|sostituito (?:con|da)|zamieniono na|замен[её]н[ао]? на|diganti (?:jadi|menjadi|dengan|ke)|ile değiştirildi|đổi thành)(?!\\p{L})',
  '(?:变更|變更|改|替换|替換)[为為]|[改换換]成|に変更|로 (?:변경|교체)',
].join('|')
const announced = String.raw`^[^\p{L}\p{N}\r\n]{0,40}(?:edit(?:ed)?|update[ds]?|correct(?:ion|ed)|fix(?:ed)?|changes?)(?!\p{L})`
/** What says in a line that a beatmap has been put in place of another one. */
const correction = new RegExp(`${phrases}|${announced}`, 'iu')
/** Whether any line of a text may say so. */
export const mayCorrect = new RegExp(correction, 'imu')
/** The same between two of them; in front of one alone, these are nothing but signs and words of titles. */
const change = new RegExp(
  String.raw`${phrases}|(?<!\p{L})(?:now|jetzt|ahora|agora|maintenant|ora|teraz|теперь|sekarang|artık)(?!\p{L})|→|[-=]>`,
  'iu',
)
const labelWord = new RegExp(namesSlot, 'giu')

/** The ids behind a beatmap that are said to be in its place now, one after the other: `(changed to 129892)`. */
export function replacementsIn(remark: string, beatmapId: number): ReadonlySet<number> {
  return new Set(change.test(remark) ? idsOf(remark).filter((id) => id !== beatmapId) : [])
}

/** A line that names another beatmap for a slot elsewhere is a question for both: `EDIT: NM2 is now 129891`. */
export function askCorrections(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  const corrections = findings.map((finding) => correctionIn(finding, codes))
  if (corrections.every((each) => each === null)) return [...findings]
  const changed = [...findings]
  for (const [at, named] of corrections.entries()) {
    const place = named === null ? -1 : placeOf(at, named.label)
    const old = changed[place]?.reading
    if (named === null || old?.kind !== 'slot' || old.beatmapId === named.id) continue
    const { label, id } = named
    const question = say('twoLines', { slot: `${label.code}${label.index ?? ''}` })
    const texts = [id, old.beatmapId].map((what) => say('itIs', { what }))
    const [own, other] = [
      [slotReading(label, id, 'line'), skipped],
      [skipped, old],
    ].map(([first, second]) =>
      asked(
        question,
        [
          [texts[0]!, first!],
          [texts[1]!, second!],
        ],
        `correction ${at}`,
      ),
    )
    changed[place] = { ...changed[place]!, reading: other! }
    const { round: _, ...line } = findings[at]!
    changed[at] = { ...line, reading: own! }
  }
  return changed

  /** Where the slot is that a line corrects: above it, else below. */
  function placeOf(at: number, label: Label): number {
    const isOther = (each: Finding, place: number): boolean => {
      const own = each.reading.kind === 'slot' ? each.reading.label : null
      return place !== at && own?.code != null && keyOf(own) === keyOf(label)
    }
    const above = changed.slice(0, at).findLastIndex(isOther)
    return above >= 0 ? above : changed.findIndex(isOther)
  }
}

const keyOf = ({ code, index }: Label): string => `${foldCode(code ?? '')} ${index ?? 1}`

/** The one slot and the one beatmap that a line names which speaks of a change. */
function correctionIn({ text, reading }: Finding, codes: BucketCodes) {
  const mayBe = reading.kind === 'refused' || reading.kind === 'slot' || isTitleAsked(reading)
  if (!mayBe || text.length > LONGEST_LINE || !correction.test(text)) return null
  const words = new Set(text.match(labelWord)?.map((word) => word.toUpperCase()))
  const [label, another] = [...words]
    .map((word) => readLabel([word], codes))
    .filter((each) => isKnown(each, codes))
  const [id, other] = new Set(idsOf(text))
  if (label === undefined || another !== undefined || id === undefined || other !== undefined)
    return null
  return { label, id }
}

function idsOf(text: string): number[] {
  const targets = findTargets(text)
  if (targets.length > 0) return targets.flatMap(({ beatmapId }) => beatmapId ?? [])
  return (withoutPaths(text).match(/(?<![A-Za-z\p{N}])[0-9]{5,8}(?![A-Za-z\p{N}])/gu) ?? []).map(
    Number,
  )
}
