import type { RoundSlot } from '../../src/contract/rounds.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import { bucketTable, isCustom } from '../../src/pool/slots.ts'

const slotText = ({ mod, index, beatmapId, details, placeholder, link }: RoundSlot): string =>
  [
    `${mod ?? '-'}${index}`,
    beatmapId ?? '?',
    ...Object.entries({ ...details, placeholder, link }).flatMap(([field, text]) =>
      text === undefined ? [] : `${field}=${text}`,
    ),
  ].join(' ')

/** All that is read of a text: pools with their slots and own buckets, what is asked (?), refused (!) and noted (*). */
export const wholeReading = (text: string): string[] => {
  const { pools, others, questions, notes } = readImport(text)
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  return [
    ...pools
      .filter(({ round }) => round.slots.length > 0)
      .map(({ name, round, draft }) => {
        const own = bucketTable(draft.buckets)
          .filter(isCustom)
          .map(({ code, mods }) =>
            mods === undefined
              ? code
              : `${code}=${mods.kind === 'free' ? 'free' : mods.set.join('')}`,
          )
        const slots = round.slots.map(slotText).join(', ')
        return `${name === null ? '' : `${name}: `}${slots}${own.length === 0 ? '' : ` [${own.join(' ')}]`}`
      }),
    ...questions.map(
      ({ text: asked, choices }) =>
        `? ${[asked, ...choices.map((choice) => choice.text)].join(' | ')}`,
    ),
    ...lines.flatMap((each) =>
      each.outcome === 'refused' ? `! ${each.line}: ${each.reason}` : [],
    ),
    ...notes.map((note) => `* ${note}`),
  ]
}
