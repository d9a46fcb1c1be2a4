import { effect, type ReadonlySignal, signal } from '@preact/signals'
import { check, fields, list, readBucket, refuseType } from '../../formats/pool-values.ts'
import { roundFields, slotFields } from '../../pool/round-fields.ts'
import { bucketCell, type Change, fieldCell, ORDER, placeOfCell } from '../editing/changes.ts'
import type { Action } from '../editing/edit-store.ts'
import { type Keeping, readUnsaved, writeUnsaved } from '../editing/unsaved.ts'
import { dropKept, keep, ownKey, readKept } from '../kept.ts'
import type { RoundStore } from './round-store.ts'

/** Where changes of a round that are not saved are kept. */
export const unsavedKey = (slug: string, round: string) => ownKey('unsaved', `${slug}:${round}`)

/** Keeps what is not saved in this window, over a reload and a sign-in of the same account; does again what was kept. */
export function keepUnsaved(
  store: RoundStore,
  key: ReturnType<typeof unsavedKey>,
): ReadonlySignal<Keeping> {
  const state = signal<Keeping>('same')
  store.restore(readActions(readKept(key) ?? ''))
  effect(() => {
    const { unsaved } = store
    if (unsaved.length > 0) {
      state.value = keep(key, writeUnsaved({ actions: unsaved })) ? 'kept' : 'lost'
    } else {
      dropKept(key)
      state.value = 'same'
    }
  })
  return state
}

/** The actions that a text holds, without those that are damaged. */
export function readActions(text: string): readonly Action[] {
  // Earlier versions of the page have written them alone.
  const written = text.startsWith('[') ? `{"v":1,"actions":${text}}` : text
  const found = readUnsaved(written, ({ actions }) => list(actions, 'actions')) ?? []
  return found.filter(isAction)
}

function isAction(value: unknown): value is Action {
  try {
    const { label, changes, at } = fields(value, 'action')
    const all = list(changes, 'changes')
    for (const each of all) checkChange(fields(each, 'change'))
    return typeof label === 'string' && typeof at === 'number' && all.length > 0
  } catch {
    return false
  }
}

/** @throws where it is none, or its values are not such as the cell may have. */
function checkChange({ cell, from, to }: Partial<Record<keyof Change, unknown>>): void {
  check(typeof cell === 'string', 'cell', 'string')
  for (const text of [from, to]) {
    if (text === null) continue
    check(typeof text === 'string', cell, 'string')
    checkValue(cell, JSON.parse(text))
  }
}

function checkValue(cell: string, value: unknown): void {
  const name = cell.slice(cell.indexOf(' ') + 1)
  if (placeOfCell(cell) !== null) slotFields.read(fields(value, cell), refuseType)
  else if (cell === bucketCell(name)) check(readBucket(value, 0).code === name, cell, name)
  else if (cell === fieldCell('name')) check(typeof value === 'string', cell, 'string')
  else if (cell === ORDER) {
    for (const code of list(value, cell)) check(typeof code === 'string', cell, 'strings')
  } else {
    const isField = roundFields.names.some((field) => cell === fieldCell(field))
    check(isField, cell, 'field')
    roundFields.read({ [name]: value }, refuseType)
  }
}
