import { describe, expect, it } from 'vitest'
import {
  begin,
  type History,
  MOST_STEPS,
  record,
  redo,
  seal,
  undo,
} from '../../src/web/editor/history.ts'

const walk = (...states: string[]): History<string> =>
  states.reduce((history, state) => record(history, state, `to ${state}`), begin('start'))

describe('the history of an edit', () => {
  it('goes back and forth, and says what each step was', () => {
    const all = walk('a', 'b')
    expect(all.now).toEqual({ state: 'b', label: 'to b' })
    const back = undo(undo(all))
    expect(back.now.state).toBe('start')
    expect(back.future.map(({ label }) => label)).toEqual(['to a', 'to b'])
    expect(redo(redo(back)).now.state).toBe('b')
  })

  it('ends where there is nothing more', () => {
    expect(undo(begin('start')).now.state).toBe('start')
    expect(redo(walk('a')).now.state).toBe('a')
  })

  it('drops what was undone when one goes on', () => {
    const other = record(undo(walk('a', 'b')), 'c', 'to c')
    expect(redo(other).now.state).toBe('c')
    expect(undo(other).now.state).toBe('a')
  })

  it('counts typing into one field as one step', () => {
    const typed = ['C', 'Cu', 'Cup'].reduce((history, text) => {
      return record(history, text, 'Rename', 'name')
    }, begin(''))
    expect(undo(typed).now.state).toBe('')
    expect(redo(undo(typed)).now.state).toBe('Cup')
  })

  it('begins another step in another field, behind a seal, and behind an undo', () => {
    const name = record(begin('0'), '1', 'Rename', 'name')
    const other = record(name, '2', 'Describe', 'description')
    expect(undo(other).now.state).toBe('1')
    expect(undo(record(seal(name), '2', 'Rename', 'name')).now.state).toBe('1')
    expect(undo(record(redo(undo(name)), '2', 'Rename', 'name')).now.state).toBe('1')
  })

  it('takes no step where nothing changes', () => {
    const history = walk('a')
    expect(record(history, 'a', 'again')).toBe(history)
  })

  it('is bounded', () => {
    const states = Array.from({ length: MOST_STEPS + 50 }, (_, at) => String(at))
    const long = walk(...states)
    expect(long.past.length).toBe(MOST_STEPS)
    let first = long
    for (let steps = 0; steps < MOST_STEPS + 50; steps += 1) first = undo(first)
    expect(first.now.state).toBe('49')
  })
})
