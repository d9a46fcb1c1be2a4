import { type Metric, metricList } from '../../src/main/metric-list.ts'
import { markdownTable } from '../markdown-table.ts'
import { alerts } from './alerts.ts'

const rowOf = ([name, { help, labels, engine }]: [string, Metric]): readonly string[] => {
  const only = { sqlite: ' Only if the store is a file.', postgresql: ' Only with PostgreSQL.' }
  const reasons = alerts.filter(({ metric }) => metric === name).map(({ when }) => when)
  return [
    `\`${name}${labels ? `{${labels.join(',')}}` : ''}\``,
    help + (engine ? only[engine] : ''),
    reasons.join('; ') || '—',
  ]
}

const TABLE = /^\| metric [^]*?\n(?=\n)/im

/** `docs/operations.md` with its table of metrics up to date. */
export const withMetricTable = (text: string): string => {
  if (!TABLE.test(text)) throw new Error('docs/operations.md has no table of metrics')
  const rows = Object.entries<Metric>(metricList).map(rowOf)
  return text.replace(TABLE, () => markdownTable([['Metric', 'Meaning', 'Check when'], ...rows]))
}
