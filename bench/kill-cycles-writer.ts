import { randomInt, randomUUID } from 'node:crypto'
import type { Pack, PackInput } from '../src/contract/packs.ts'
import type { Ledger, OpenCreation } from './kill-cycles-ledger.ts'
import { aPack } from './seed.ts'

/** So long no answer may take by far; it counts as none. */
const HANG_MS = 15_000
/** What stands for no answer at all. */
export const NO_ANSWER = 0

export type Answer = {
  readonly status: number
  readonly pack: Pack | null
  readonly ms: number
}

/** Who writes where, and who hears of it. */
export type Writing = {
  readonly port: number
  readonly ledger: Ledger
  /** A key of an account that may still write; undefined ends the writing. */
  readonly nextKey: () => string | undefined
  /** Whether to go on after this answer. */
  readonly onAnswer: (answer: Answer) => boolean | Promise<boolean>
}

type Request = {
  readonly port: number
  readonly key: string
  readonly method: string
  readonly path: string
  readonly body?: PackInput
  readonly idempotencyKey?: string
}

const ask = async ({ port, key, method, path, body, idempotencyKey }: Request): Promise<Answer> => {
  const begun = performance.now()
  const ms = () => performance.now() - begun
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(HANG_MS),
    })
    const text = await answer.text()
    const isDone = answer.status === 200 || answer.status === 201
    const pack = isDone ? (JSON.parse(text) as { pack: Pack }).pack : null
    return { status: answer.status, pack, ms: ms() }
  } catch {
    return { status: NO_ANSWER, pack: null, ms: ms() }
  }
}

/** What an answer means for what was asked. */
const verdictOn = ({ status }: Answer, done: number): 'done' | 'spent' | 'unknown' => {
  if (status === done) return 'done'
  if (status === 429) return 'spent'
  if (status === NO_ANSWER || status === 500) return 'unknown'
  throw new Error(`a write was answered with ${status}`)
}

/** A pack that nothing else has the name of. Of a million UUIDs, four read as a slur, which is refused: digits do not. */
const anInput = (): PackInput => ({
  ...aPack(randomInt(1e6)),
  name: `Pack ${randomInt(2 ** 48 - 1)}`,
})

/** Saves packs, replaces each once or a few times, and deletes some, until it is told to stop or has no key left. */
export const writePacks = async ({ port, ledger, nextKey, onAnswer }: Writing): Promise<void> => {
  const told = { goOn: true }
  const tell = async (request: Omit<Request, 'port'>): Promise<Answer> => {
    const answer = await ask({ port, ...request })
    told.goOn = await onAnswer(answer)
    return answer
  }

  /** false when the account may write no more. */
  const create = async (key: string): Promise<Pack | null | 'spent'> => {
    const creation = { key, input: anInput(), idempotencyKey: randomUUID() }
    const made = await tell({
      key,
      method: 'POST',
      path: '/packs',
      body: creation.input,
      idempotencyKey: creation.idempotencyKey,
    })
    const verdict = verdictOn(made, 201)
    if (verdict === 'unknown') ledger.mayHaveCreated(creation)
    if (verdict !== 'done') return verdict === 'spent' ? 'spent' : null
    ledger.saved(made.pack!)
    return made.pack
  }

  const replace = async (key: string, slug: string): Promise<boolean> => {
    const body = anInput()
    const answer = await tell({ key, method: 'PUT', path: `/packs/${slug}`, body })
    const verdict = verdictOn(answer, 200)
    if (verdict === 'unknown') ledger.mayHaveReplaced(slug, body)
    if (verdict === 'done') ledger.saved(answer.pack!)
    return verdict === 'done'
  }

  const remove = async (key: string, slug: string): Promise<void> => {
    const verdict = verdictOn(await tell({ key, method: 'DELETE', path: `/packs/${slug}` }), 204)
    if (verdict === 'unknown') ledger.mayHaveRemoved(slug)
    if (verdict === 'done') ledger.removed(slug)
  }

  const goOn = async (key: string, slug: string): Promise<void> => {
    for (let left = 1 + randomInt(3); left > 0; left -= 1) {
      if (!told.goOn || !(await replace(key, slug))) return
    }
    if (told.goOn && randomInt(3) === 0) await remove(key, slug)
  }

  let key = nextKey()
  while (key !== undefined && told.goOn) {
    const made = await create(key)
    if (made === 'spent') key = nextKey()
    else if (made !== null) await goOn(key, made.slug)
  }
}

/**
 * Repeats a creation whose answer never came, under the same name, as a careful client does: then
 * it is done once, whatever had become of it.
 */
export const repeatCreation = async (
  port: number,
  ledger: Ledger,
  { input, key, idempotencyKey }: OpenCreation,
): Promise<Answer> => {
  const answer = await ask({
    port,
    key,
    method: 'POST',
    path: '/packs',
    body: input,
    idempotencyKey,
  })
  if (verdictOn(answer, 201) === 'done') ledger.saved(answer.pack!)
  return answer
}
