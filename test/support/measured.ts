import { alerts, conditionOf } from '../../scripts/monitoring/alerts.ts'
import { dashboard } from '../../scripts/monitoring/dashboard.ts'
import { freshFolder, makeKey, startServer } from './processes.ts'

/** A running server with a key for it, and what reads its `/metrics`. */
export const startMeasured = async (
  env: Record<string, string> = {},
): Promise<{
  folder: string
  server: Awaited<ReturnType<typeof startServer>>
  url: string
  read: () => Promise<string>
  key: string
}> => {
  const folder = await freshFolder()
  const key = await makeKey(folder, { env })
  const server = await startServer(folder, { METRICS_PORT: '0', ...env })
  const [, url = ''] = /metrics +(\S+)$/m.exec(server.process.stdout) ?? []
  const read = async () => (await fetch(url)).text()
  return { folder, server, url, read, key }
}

/** The value of one line, by name and labels in the order written; undefined when there is none. */
export const valueOf = (text: string, line: string): number | undefined => {
  const found = text.split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

/** Everything that is exported: series → label → its values. */
export const seriesIn = (text: string) => {
  const series = new Map<string, Map<string, Set<string>>>()
  for (const [, name = '', pairs = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const labels = series.get(name) ?? new Map<string, Set<string>>()
    for (const [, label = '', value = ''] of pairs.matchAll(/(\w+)="([^"]*)"/g)) {
      labels.set(label, (labels.get(label) ?? new Set()).add(value))
    }
    series.set(name, labels)
  }
  return series
}

type Panel = { readonly targets?: readonly { readonly expr: string }[] }

/** The expressions of all alerts, and of all panels of the dashboard. */
export const expressions: readonly string[] = [
  ...alerts.map(conditionOf),
  ...(JSON.parse(dashboard()) as { panels: Panel[] }).panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr),
  ),
]

const SERIES = /\b((?:mapcrate|process|nodejs)_\w+)(?:\{(.*?)\})?(?=[\s)[]|$)/g
/** What Prometheus adds. */
const SCRAPED = ['job', 'instance']

/** What these expressions name that a server with such an export does not have. */
export const unknownIn = (texts: readonly string[], exported: ReturnType<typeof seriesIn>) =>
  texts.flatMap((text) => {
    const named = [...text.matchAll(SERIES)].map(([, name = '', pairs = '']) => ({ name, pairs }))
    const known = new Set([
      ...SCRAPED,
      ...named.flatMap(({ name }) => [...(exported.get(name)?.keys() ?? [])]),
    ])
    const grouped = [...text.matchAll(/by \(([^)]*)\)/g)].flatMap(([, by = '']) => by.split(', '))
    return [
      ...named.filter(({ name }) => !exported.has(name)).map(({ name }) => name),
      ...grouped.filter((label) => !known.has(label)),
      ...named.flatMap(({ name, pairs }) =>
        [...pairs.matchAll(/(\w+)(=~|=)"([^"]*)"/g)].flatMap(
          ([pair, label = '', operator, value = '']) => {
            if (SCRAPED.includes(label)) return []
            const values = exported.get(name)?.get(label)
            const isKnown = operator === '=' ? values?.has(value) : values !== undefined
            return isKnown ? [] : [`${name}{${pair}}`]
          },
        ),
      ),
    ]
  })
