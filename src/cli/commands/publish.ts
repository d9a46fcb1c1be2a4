import { readFileSync } from 'node:fs'
import { MAX_BODY_BYTES } from '../../contract/bounds.ts'
import { API_PREFIX } from '../../contract/endpoint.ts'
import { AppError } from '../../contract/errors.ts'
import type { PackInput } from '../../contract/packs.ts'
import type { SavedPack } from '../../domain/packs.ts'
import { readJson } from '../../domain/reading/json.ts'
import { readPackInput } from '../../domain/reading/pack-input.ts'
import { localUrl } from '../../main/listen.ts'
import {
  findPublished,
  publishPool,
  republishPool,
  unpublishPool,
} from '../../operations/published-pools.ts'
import { onlyWord, readSlug } from '../arguments.ts'
import { CliError, type Command } from '../program.ts'
import { fileErrorText } from '../system-error.ts'
import { withPorts } from './with-ports.ts'

export const publishCommand: Command = {
  takes: '[--replace SLUG] FILE',
  details: `Publishes the pool in FILE (- is stdin) as a new public pack of the tournament-pools account, and
prints its slug and its address. FILE holds what POST /packs takes, as JSON; the pool is public whatever
it says of visibility. Publishing the same file again makes another pack.

With --replace the published pool with that slug (or that address) is replaced instead, and keeps its
slug. What it held before is printed to stderr, as its pack key and as JSON that publish takes, so that
a wrong replacement can be undone. A pool is never chosen by its name.`,
  options: [
    {
      name: 'replace',
      takes: 'SLUG',
      about: 'replace this published pool instead of making a new one',
    },
  ],
  examples: [
    'mapcrate-server publish grand-finals.json',
    'mapcrate-server publish grand-finals.json --replace q7Jm2_xT0a',
  ],
  async run(call) {
    const slugGiven = call.options.get('replace')
    const replaced = slugGiven === undefined ? null : readSlug(slugGiven)
    const input = readPoolFile(onlyWord(call, 'FILE'))
    await withPorts(replaced === null ? 'make' : 'refuse', async (ports, config) => {
      const published = replaced === null ? null : await republishPool(ports, replaced, input)
      if (published !== null) printBefore(published.before, `publish --replace ${replaced} FILE`)
      const namesake = published === null ? await findPublished(ports, input.name.trim()) : null
      const { slug } = published?.pack ?? (await publishPool(ports, input))
      const url = config.publicUrls.packs ?? localUrl(config, config.ports.packs)
      process.stdout.write(`${slug}\n${url}${API_PREFIX}/packs/${slug}\n`)
      if (namesake !== null) {
        process.stderr.write(
          `Another published pool has this name: ${namesake.slug}. It was not changed.\n`,
        )
      }
    })
  },
}

export const unpublishCommand: Command = {
  takes: 'SLUG',
  details: `Removes the published pool with this slug (or this address) for good, and its pin with it. What it
held is printed to stderr, as its pack key and as JSON that publish takes; published again, it gets
another slug. Packs of players cannot be removed this way.`,
  examples: ['mapcrate-server unpublish q7Jm2_xT0a'],
  async run(call) {
    const slug = readSlug(onlyWord(call, 'SLUG'))
    const before = await withPorts('refuse', (ports) => unpublishPool(ports, slug))
    printBefore(before, 'publish FILE')
    process.stdout.write(`unpublished ${slug} (${before.name})\n`)
  },
}

/** Prints what a pool held, so that the operator can restore it. */
function printBefore(
  { name, description, slots, buckets, packKey }: SavedPack,
  undo: string,
): void {
  const input = {
    name,
    ...(description !== null && { description }),
    slots,
    ...(buckets && { buckets }),
  }
  process.stderr.write(`The pool held this before; to restore it, save the JSON as FILE and run
mapcrate-server ${undo}
${packKey}
${JSON.stringify(input)}
`)
}

const STDIN = 0

/** Reads a pool from a file or from stdin (`-`), and refuses what the API would refuse. */
function readPoolFile(file: string): PackInput {
  const bytes = readBytes(file)
  if (bytes.length <= MAX_BODY_BYTES) return readPackInput(readJson(bytes))
  throw new AppError('too_large', `a pool may have at most ${MAX_BODY_BYTES} bytes`)
}

function readBytes(file: string): Uint8Array {
  const isStdin = file === '-'
  try {
    return readFileSync(isStdin ? STDIN : file)
  } catch (error) {
    throw new CliError(fileErrorText(error, 'read', isStdin ? 'stdin' : file))
  }
}
