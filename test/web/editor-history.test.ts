import { describe, expect, it } from 'vitest'
import { EditStore } from '../../src/web/editing/edit-store.ts'
import { MOST_STEPS } from '../../src/web/editing/steps.ts'
import { emptyEdit } from '../../src/web/editor/edit.ts'

/** A store whose edits are told apart by their names. */
const begin = (name = 'start') => {
  const store = new EditStore({ ...emptyEdit, name })
  return {
    store,
    name: () => store.edit.name,
    go: (to: string, tag: string | null = null) =>
      store.change(`to ${to}`, (edit) => (edit.name === to ? edit : { ...edit, name: to }), tag),
  }
}
const walk = (...names: string[]) => {
  const all = begin()
  for (const name of names) all.go(name)
  return all
}

describe('the history of an edit', () => {
  it('goes back and forth, and says what each step was', () => {
    const { store, name } = walk('a', 'b')
    expect([name(), store.undoes, store.redoes]).toEqual(['b', 'to b', null])
    store.undo()
    expect([name(), store.undoes, store.redoes]).toEqual(['a', 'to a', 'to b'])
    store.undo()
    expect([name(), store.undoes, store.redoes]).toEqual(['start', null, 'to a'])
    store.redo()
    store.redo()
    expect([name(), store.undoes]).toEqual(['b', 'to b'])
  })

  it('ends where there is nothing more', () => {
    const { store, name } = begin()
    store.undo()
    expect(name()).toBe('start')
    const other = walk('a')
    other.store.redo()
    expect(other.name()).toBe('a')
  })

  it('drops what was undone when one goes on', () => {
    const { store, name, go } = walk('a', 'b')
    store.undo()
    go('c')
    expect(store.redoes).toBeNull()
    store.redo()
    expect(name()).toBe('c')
    store.undo()
    expect(name()).toBe('a')
  })

  it('counts typing into one field as one step', () => {
    const { store, name, go } = begin('')
    for (const text of ['C', 'Cu', 'Cup']) go(text, 'name')
    store.undo()
    expect(name()).toBe('')
    store.redo()
    expect(name()).toBe('Cup')
  })

  it('begins another step in another field, behind a seal, and behind an undo', () => {
    const typed = () => {
      const all = begin('0')
      all.go('1', 'name')
      return all
    }
    const elsewhere = typed()
    elsewhere.go('2', 'description')
    const sealed = typed()
    sealed.store.seal()
    sealed.go('2', 'name')
    const undone = typed()
    undone.store.undo()
    undone.store.redo()
    undone.go('2', 'name')
    for (const { store, name } of [elsewhere, sealed, undone]) {
      store.undo()
      expect(name()).toBe('1')
    }
  })

  it('takes no step where nothing changes', () => {
    const { store, go } = walk('a')
    const { edit } = store
    go('a')
    expect(store.edit).toBe(edit)
    store.undo()
    expect(store.undoes).toBeNull()
  })

  it('is bounded', () => {
    const { store, name } = walk(...Array.from({ length: MOST_STEPS + 50 }, (_, at) => String(at)))
    let steps = 0
    for (; store.undoes !== null; steps += 1) store.undo()
    expect([steps, name()]).toEqual([MOST_STEPS, '49'])
  })
})
