import { DatabaseSync } from 'node:sqlite'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { aNewPack } from './sample-pack.ts'

// A second process over a store, for tests: node store-program.ts FILE COMMAND …
const [, , file = '', command, ...args] = process.argv

const commands: Record<string, () => Promise<void>> = {
  /** Prints how many public packs there are. */
  async 'count-public'() {
    const { packs, care } = await openSqliteStores(file)
    console.log((await packs.listPublic(1, 1)).total)
    await care.close()
  },

  /** OWNER COUNT LIMIT: creates packs, all at once, and prints how many came to be. */
  async create() {
    const [ownerId = '', count, limit] = args
    const { packs, care } = await openSqliteStores(file)
    const creations = await Promise.all(
      Array.from({ length: Number(count) }, (_, at) =>
        packs.create(aNewPack({ ownerId, slug: slugOf(at) }), Number(limit)),
      ),
    )
    console.log(creations.filter(({ outcome }) => outcome === 'created').length)
    await care.close()
  },

  /** Creates packs, eight at a time, until it is killed, and prints the slug of each that is stored. */
  async 'create-forever'() {
    const { packs } = await openSqliteStores(file)
    for (let round = 0; ; round += 8) {
      const creations = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          packs.create(aNewPack({ slug: slugOf(round + at), updatedAt: round }), null),
        ),
      )
      for (const creation of creations) {
        if (creation.outcome === 'created') process.stdout.write(`${creation.pack.slug}\n`)
      }
    }
  },

  /** Creates packs named `key-0`, `key-1` …, eight at a time, until it is killed; prints key and slug of each. */
  async 'create-once-forever'() {
    const { packs } = await openSqliteStores(file)
    for (let round = 0; ; round += 8) {
      const creations = await Promise.all(
        Array.from({ length: 8 }, async (_, at) => {
          const once = { key: `key-${round + at}`, fingerprint: 'f', since: 0 }
          const pack = aNewPack({ slug: slugOf(round + at) })
          return [once.key, await packs.create(pack, null, once)] as const
        }),
      )
      for (const [key, creation] of creations) {
        if (creation.outcome === 'created') process.stdout.write(`${key} ${creation.pack.slug}\n`)
      }
    }
  },

  /** ACCOUNT HASH: sets the account's key. */
  async 'replace-key'() {
    const [accountId = '', hash = ''] = args
    const { apiKeys, care } = await openSqliteStores(file)
    await apiKeys.replace(accountId, 'packs', { hash, shown: 'abcd', createdAt: 0 })
    await care.close()
  },

  /** Holds the write lock until its input ends. */
  async 'hold-lock'() {
    const database = new DatabaseSync(file)
    database.exec('begin exclusive')
    console.log('held')
    for await (const _ of process.stdin);
    database.exec('rollback')
  },
}

function slugOf(at: number): string {
  return `p${process.pid}x${at.toString(36)}`.padEnd(10, '-')
}

await commands[command ?? '']?.()
