// `POST /packs` as an experienced developer writes it with Express and SQLite: keys, checks of each field, the
// limit of packs, a durable insert. Arguments: the database, and a file with the keys as JSON.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import express from 'express'

type Slot = { mod: string | null; index: number; beatmapId: number }
type Body = { name: string; visibility?: string; description?: string; slots: Slot[] }

const [, , file = '', keysFile = ''] = process.argv
const db = new DatabaseSync(file)
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE api_key (hash TEXT PRIMARY KEY, owner TEXT NOT NULL) STRICT;
  CREATE TABLE pack (id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, owner TEXT NOT NULL,
    name TEXT NOT NULL, visibility TEXT NOT NULL, description TEXT, slots TEXT NOT NULL,
    pack_key TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT;
  CREATE INDEX pack_owner ON pack (owner, updated_at); BEGIN`)
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')
const addKey = db.prepare('INSERT INTO api_key (hash, owner) VALUES (?, ?)')
const keys = JSON.parse(readFileSync(keysFile, 'utf8')) as string[]
for (const [at, key] of keys.entries()) addKey.run(sha256(key), `p${at}`)
db.exec('COMMIT')
const findOwner = db.prepare('SELECT owner FROM api_key WHERE hash = ?')
const countPacks = db.prepare('SELECT count(*) AS packs FROM pack WHERE owner = ?')
const addPack = db.prepare(`INSERT INTO pack (slug, owner, name, visibility, description, slots,
  pack_key, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)

const isWithin = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most
const isSlot = ({ mod, index, beatmapId }: Slot): boolean =>
  (mod === null || /^[\p{L}\p{N}]{1,12}$/u.test(mod)) &&
  isWithin(index, 99) &&
  isWithin(beatmapId, 2_147_483_647)

function findProblem({ name, visibility, description, slots }: Partial<Body>): string | null {
  if (typeof name !== 'string' || !isWithin(name.trim().length, 64)) return 'name'
  if (!['private', 'unlisted', 'public', undefined].includes(visibility)) return 'visibility'
  if (typeof (description ?? '') !== 'string' || `${description}`.length > 500) return 'description'
  if (!Array.isArray(slots) || !isWithin(slots.length, 128) || !slots.every(isSlot)) return 'slots'
  const places = new Set(slots.map(({ mod, index }) => `${mod} ${index}`))
  return places.size < slots.length ? 'slots' : null
}

const app = express()
app.post('/api/v1/packs', express.json({ limit: '16kb' }), (request, response) => {
  const fail = (status: number, code: string, message: string) =>
    void response.status(status).json({ error: { code, message } })
  const token = /^Bearer (.+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? ''
  const account = findOwner.get(sha256(token)) as { owner: string } | undefined
  if (account === undefined) return fail(401, 'invalid_api_key', 'send a valid key')
  const body = (request.body ?? {}) as Body
  const problem = findProblem(body)
  if (problem !== null) return fail(400, 'bad_request', `${problem} is not valid`)
  const { visibility = 'unlisted', description } = body
  const { owner } = account
  const name = body.name.trim()
  const slots = body.slots.map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId }))
  const text = JSON.stringify(slots)
  const slug = randomBytes(8).toString('base64url').slice(0, 10)
  const packKey = `1.${Buffer.from(JSON.stringify([name, slots])).toString('base64url')}`
  const now = Date.now()
  db.exec('BEGIN IMMEDIATE')
  try {
    const { packs } = countPacks.get(owner) as { packs: number }
    if (packs < 200) {
      addPack.run(slug, owner, name, visibility, description ?? null, text, packKey, now, now)
    }
    db.exec('COMMIT')
    if (packs >= 200) return fail(409, 'conflict', 'an account has at most 200 packs')
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
  const at = new Date(now).toISOString()
  const shown = { slug, name, visibility, description, slots, exports: [], createdAt: at }
  response.status(201).location(`/api/v1/packs/${slug}`)
  return void response.json({ pack: { ...shown, updatedAt: at, packKey, ownerName: owner } })
})
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
