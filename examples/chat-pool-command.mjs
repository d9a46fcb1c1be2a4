// A chat bot's pool command. Answers each line that it reads:
//
//   !pool q7Jm2_xT0a        the maps of a pack
//   !pool q7Jm2_xT0a HD1    one of them
//   !pool pk1.AQFhAQIC…     the maps of a pack key, without asking the service
//
//   MAPCRATE_URL=https://packs.example MAPCRATE_KEY=packs_… node chat-pool-command.mjs
//
// Instead of reading lines, call `answer` where your chat library tells of a message.

// @ts-check
import { createInterface } from 'node:readline'
import { MapcrateError, createClient } from '@mapcrate/client'
import { decodePackKey, findPackKey, slotLabel, slotsInPoolOrder } from '@mapcrate/client/pool'

const client = createClient({
  baseUrl: process.env.MAPCRATE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.MAPCRATE_KEY ?? '',
})

/** People in a chat do not wait for minutes. */
const PATIENCE_MS = 10_000

/**
 * The pack, or null when there is none.
 *
 * @param {string} slug
 */
const findPack = async (slug) => {
  try {
    return await client.getPack(slug, { signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch (error) {
    if (error instanceof MapcrateError && error.code === 'not_found') return null
    throw error
  }
}

/**
 * What to say to a message, or null when it is none of ours.
 *
 * @param {string} message
 */
const answer = async (message) => {
  const [command, target = '', label] = message.trim().split(/\s+/)
  if (command !== '!pool') return null
  if (target === '') return 'Say !pool and a pack: its slug or its pack key.'
  const key = findPackKey(target)
  const pool = key === null ? await findPack(target) : decodePackKey(key)
  if (pool === null) return `There is no pack ${target}.`
  const maps = slotsInPoolOrder(pool).map((slot) => ({ ...slot, label: slotLabel(slot) }))
  if (label === undefined) {
    const list = maps.map((map) => `${map.label} ${map.beatmapId}`).join(' · ')
    return `${pool.name}: ${list}`
  }
  const map = maps.find((each) => each.label.toUpperCase() === label.toUpperCase())
  return map ? `${map.label} is ${map.beatmapId}` : `${pool.name} has no ${label}.`
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    const reply = await answer(line)
    if (reply !== null) console.log(reply)
  } catch (error) {
    // What people may read: these errors say what to do and hold no secret.
    console.log(error instanceof Error ? error.message : 'That did not work.')
  }
}
