import { createContext, Script } from 'node:vm'
import type { Report } from './report.ts'
import { type Exchange, type Service, Stopped } from './wire.ts'

export type Services = { readonly packs: Service; readonly pools: Service }

/** A program of the guide, by the heading that it stands under. */
export type Program = { readonly heading: string; readonly code: string }

export const programsOf = (guide: string): Program[] =>
  guide.split(/^#{2,3} /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'))
    return [...section.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => ({
      heading,
      code,
    }))
  })

/** Ends a program that would run forever. */
class Enough extends Error {}

type Run = {
  readonly printed: string[]
  readonly answers: Exchange[]
  /** What the program threw; null where it ended by itself or was ended. */
  readonly thrown: string | null
}

type Surroundings = {
  readonly slug?: string
  /** Called before each request of the program with the number of those before it; ends it by `Enough`. */
  readonly before?: (asked: number) => Promise<void> | void
}

/** All other addresses are of the packs service. */
const POOLS = 'https://pools.mapcrate.test'

/** Runs a program as it is printed, against the installation in place of the address that it names. */
export const runProgram = async (
  code: string,
  services: Services,
  { slug = '', before = () => {} }: Surroundings = {},
): Promise<Run> => {
  const printed: string[] = []
  const answers: Exchange[] = []
  const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
    await before(answers.length)
    const service = url.startsWith(POOLS) ? services.pools : services.packs
    // The address of other pages comes from the service, which may know itself by another name.
    const path = url.slice(url.indexOf('/api/v1') + '/api/v1'.length)
    const { authorization: _own, ...headers } = Object.fromEntries(new Headers(init.headers))
    const { method = 'GET', body } = init
    const exchange = await service.ask(method, path, { headers, body })
    answers.push(exchange)
    const { status, text, headers: received } = exchange.answer!
    return new Response([204, 304].includes(status) ? null : text, { status, headers: received })
  }
  const context = createContext({
    fetch: ask,
    process: { env: { PACKS_KEY: 'packs', POOLS_KEY: 'pools' } },
    authorization: 'Bearer packs',
    slug,
    console: { log: (line: string) => printed.push(line) },
    // The quotas are kept by the connection, so that no program has to pause.
    setTimeout: (work: () => void) => setTimeout(work, 0),
  })
  try {
    await new Script(`(async () => { ${code} })()`).runInContext(context)
  } catch (error) {
    if (error instanceof Stopped) throw error
    if (!(error instanceof Enough)) return { printed, answers, thrown: String(error) }
  }
  return { printed, answers, thrown: null }
}

const POLLS = 5
const MOST_REQUESTS = 3

type Heard = { readonly tournament: string; readonly kind: string }

type Trial = (program: Program, services: Services, report: Report, tag: string) => Promise<void>

const judge = (report: Report, { heading }: Program, run: Run, wrong: string | null): void => {
  const text = run.thrown === null ? wrong : `threw ${run.thrown}`
  report.try('guide', text === null ? null : `${heading}: ${text}`, run.answers.at(-1))
}

const printsOne =
  (line: RegExp): Trial =>
  async (program, services, report) => {
    const run = await runProgram(program.code, services)
    const isRight = run.printed.length === 1 && line.test(run.printed[0]!)
    judge(report, program, run, isRight ? null : `printed ${JSON.stringify(run.printed)}`)
    for (const { request, answer } of run.answers) {
      const { pack, tournament } = answer?.json ?? {}
      if (request.path === '/packs') await services.packs.ask('DELETE', `/packs/${pack?.slug}`)
      if (request.path !== '/tournaments') continue
      await services.pools.ask('DELETE', `/tournaments/${tournament?.slug}`)
    }
  }

/** What each program does; those under other headings have to run without an error. */
const trials: Readonly<Record<string, Trial>> = {
  'Your first request': printsOne(/^Saved as [\w-]{10}\.$/),
  'Drafting by API': printsOne(/^Qualifiers will be released at 2030-12-01T18:00:00\.000Z\.$/),
  Pages: async (program, services, report) => {
    const before = (asked: number) => {
      if (asked === MOST_REQUESTS) throw new Enough()
    }
    const run = await runProgram(program.code, services, { before })
    const names = run.answers.flatMap(({ answer }) =>
      answer?.json.packs.map(({ name }: { name: string }) => name),
    )
    const isSame = JSON.stringify(names) === JSON.stringify(run.printed)
    judge(report, program, run, isSame ? null : 'printed other names than it received')
  },
  'Hearing of changes': async (program, services, report, tag) => {
    const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
    const body = { name: `${tag} heard`, visibility: 'private', slots }
    let slug = ''
    const before = async (asked: number) => {
      if (asked === 3) throw new Enough()
      if (asked === 1)
        slug = (await services.packs.ask('POST', '/packs', { body })).answer?.json.pack.slug
      if (asked === 2) await services.packs.ask('PUT', `/packs/${slug}`, { body })
    }
    const run = await runProgram(program.code, services, { before })
    const own = run.printed.filter((line) => line.startsWith(slug))
    const isRight = own.join() === `${slug}: created,${slug}: changed`
    judge(report, program, run, isRight ? null : `printed ${JSON.stringify(own)}`)
    await services.packs.ask('DELETE', `/packs/${slug}`)
  },
  'Following a tournament': async (program, services, report, tag) => {
    const { pools } = services
    const made = await pools.ask('POST', '/tournaments', { body: { name: `${tag} followed` } })
    const slug = made.answer?.json.tournament.slug
    const rounds = `/tournaments/${slug}/rounds`
    const body = { name: 'Finals', slots: [{ mod: 'NM', index: 1 }] }
    const { round } = (await pools.ask('POST', rounds, { body })).answer?.json ?? {}
    const path = `${rounds}/${round?.id}`
    const before = async (asked: number) => {
      if (asked === 2) throw new Enough()
      if (asked !== 1) return
      const changes = [{ mod: 'NM', index: 1, from: null, to: { beatmapId: 75 } }]
      await pools.ask('PATCH', `${path}/slots`, { body: { changes } })
    }
    const run = await runProgram(program.code, services, { slug, before })
    const heard: Heard[] = run.answers[1]?.answer?.json?.changes ?? []
    const own = heard.filter(({ tournament }) => tournament === slug).map(({ kind }) => kind)
    const isRight = own.join() === 'draft' && run.printed.length === 0
    judge(
      report,
      program,
      run,
      isRight ? null : `heard ${JSON.stringify(heard)}, printed ${JSON.stringify(run.printed)}`,
    )
    const etag = (await pools.get(path)).answer?.headers.get('etag') ?? ''
    for (let poll = 0; poll < POLLS; poll += 1) {
      const read = await pools.ask('GET', path, { headers: { 'if-none-match': etag } })
      const status = read.answer?.status
      report.try('idle', status === 304 ? null : `${program.heading}: ${status}, not 304`, read)
    }
    await pools.ask('DELETE', `/tournaments/${slug}`)
  },
}

/** Every JavaScript program of docs/api.md, word for word. */
export const tryGuide = async (
  guide: string,
  services: Services,
  report: Report,
  tag: string,
): Promise<void> => {
  for (const program of programsOf(guide)) {
    const trial = trials[program.heading] ?? runsWithoutError
    await trial(program, services, report, tag)
  }
}

const runsWithoutError: Trial = async (program, services, report) => {
  const before = (asked: number) => {
    if (asked === MOST_REQUESTS) throw new Enough()
  }
  const run = await runProgram(program.code, services, { before })
  judge(report, program, run, null)
}
