// What an experienced developer writes for `POST /packs` with Express and SQLite in an afternoon: keys, checks of
// the fields, the limit of packs, a durable insert. The arguments: the database, and the keys as JSON.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import express from 'express'

const [, , file = '', keysFile = ''] = process.argv
const db = new DatabaseSync(file)
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE api_key (hash TEXT PRIMARY KEY, owner TEXT NOT NULL) STRICT;
  CREATE TABLE pack (id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, owner TEXT NOT NULL,
    name TEXT NOT NULL, visibility TEXT NOT NULL, description TEXT, slots TEXT NOT NULL,
    pack_key TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT;
  CREATE INDEX pack_owner ON pack (owner, updated_at)`)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')
const addKey = db.prepare('INSERT INTO api_key (hash, owner) VALUES (?, ?)')
db.exec('BEGIN')
for (const [at, key] of (JSON.parse(readFileSync(keysFile, 'utf8')) as string[]).entries()) {
  addKey.run(sha256(key), `p${at}`)
}
db.exec('COMMIT')

const findOwner = db.prepare('SELECT owner FROM api_key WHERE hash = ?')
const countPacks = db.prepare('SELECT count(*) AS packs FROM pack WHERE owner = ?')
const addPack = db.prepare(`INSERT INTO pack (slug, owner, name, visibility, description, slots,
  pack_key, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)

type Slot = { mod: string | null; index: number; beatmapId: number }
type Body = { name: string; visibility?: string; description?: string; slots: Slot[] }

const isWhole = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most

function findProblem(body: Partial<Body> | undefined): string | null {
  const { name, visibility, description, slots } = body ?? {}
  if (typeof name !== 'string' || name.trim() === '' || name.length > 64) return 'name'
  if (!['private', 'unlisted', 'public', undefined].includes(visibility)) return 'visibility'
  if (description !== undefined && typeof description !== 'string') return 'description'
  if ((description?.length ?? 0) > 500) return 'description'
  if (!Array.isArray(slots) || slots.length === 0 || slots.length > 128) return 'slots'
  const isWrong = ({ mod, index, beatmapId }: Slot): boolean =>
    (mod !== null && !/^[\p{L}\p{N}]{1,12}$/u.test(mod)) ||
    !isWhole(index, 99) ||
    !isWhole(beatmapId, 2_147_483_647)
  if (slots.some(isWrong)) return 'slots'
  const places = new Set(slots.map(({ mod, index }) => `${mod} ${index}`))
  return places.size < slots.length ? 'slots' : null
}

const app = express()
app.post('/api/v1/packs', express.json({ limit: '16kb' }), (request, response) => {
  const fail = (status: number, code: string, message: string) =>
    void response.status(status).json({ error: { code, message } })
  const token = /^Bearer (.+)$/i.exec(request.get('authorization') ?? '')?.[1]
  const account = token && (findOwner.get(sha256(token)) as { owner: string } | undefined)
  if (!account) return fail(401, 'invalid_api_key', 'send a key')
  const problem = findProblem(request.body as Body)
  if (problem !== null) return fail(400, 'bad_request', `${problem} is not valid`)
  const { name, visibility = 'unlisted', description, slots: sent } = request.body as Body
  const slots = sent.map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId }))
  const text = JSON.stringify(slots)
  const slug = randomBytes(8).toString('base64url').slice(0, 10)
  const packKey = `1.${Buffer.from(JSON.stringify([name.trim(), slots])).toString('base64url')}`
  const now = Date.now()
  db.exec('BEGIN IMMEDIATE')
  try {
    if ((countPacks.get(account.owner) as { packs: number }).packs >= 200) {
      db.exec('ROLLBACK')
      return fail(409, 'conflict', 'an account has at most 200 packs')
    }
    const texts = [slug, account.owner, name.trim(), visibility, description ?? null, text, packKey]
    addPack.run(...texts, now, now)
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
  const at = new Date(now).toISOString()
  response.status(201).location(`/api/v1/packs/${slug}`)
  const said = description === undefined ? {} : { description }
  const shown = { slug, name: name.trim(), visibility, ...said, slots, exports: [] }
  response.json({
    pack: { ...shown, createdAt: at, updatedAt: at, packKey, ownerName: account.owner },
  })
})
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
