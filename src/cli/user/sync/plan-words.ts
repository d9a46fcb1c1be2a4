import { differenceLines } from '../differences.ts'
import type { Paint } from '../paint.ts'
import { plain } from '../plain.ts'
import { table } from '../table.ts'
import type { Step } from './plan.ts'

/** What a step does, in a word or two. */
export const actionWords = (step: Step): string => {
  if (step.action === 'write') return step.file === null ? 'write new file' : 'write file'
  const words: Readonly<Record<Exclude<Step['action'], 'write'>, string>> = {
    create: 'save new pack',
    replace: 'save pack',
    note: 'nothing, they are alike',
    forget: 'nothing, both are gone',
    'delete pack': 'delete pack',
    'delete file': 'delete file',
    conflict: 'CONFLICT',
    'left alone': 'left alone',
    refused: 'CANNOT BE READ',
  }
  return words[step.action]
}

/** Steps that leave something as it is that should not stay so. */
export const isOpen = ({ action }: Step): boolean =>
  action === 'conflict' || action === 'left alone' || action === 'refused'

/** Steps that change a file or a pack. */
export const isWork = (step: Step): boolean =>
  !isOpen(step) && step.action !== 'note' && step.action !== 'forget'

/** The plan for people: a table, and below it what changes where something is there already. */
export const planText = (steps: readonly Step[], paint: Paint): string => {
  const rows = steps.map((step) => [step.name, actionWords(step), step.slug ?? ''])
  const details = steps.flatMap((step) => {
    const changes = 'changes' in step ? differenceLines(step.changes, paint) : ''
    const reason = 'reason' in step ? `${plain(step.reason, '\n')}\n` : ''
    return changes + reason === '' ? [] : [`\n${paint.bold(plain(step.name))}\n${reason}${changes}`]
  })
  return table(['FILE', 'PLAN', 'PACK'], rows, paint) + details.join('')
}
