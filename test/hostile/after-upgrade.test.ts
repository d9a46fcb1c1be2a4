import { afterAll, expect, test } from 'vitest'
import { connect } from 'node:net'
import { SeededRandom } from '../../scripts/seeded-random.ts'
import { openHouse } from '../support/house.ts'
import { makeRequest, type Scene } from './connection-model.ts'

const house = await openHouse()
afterAll(() => house.close())

const goodbye = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
const first = (more: string): string => `GET /healthz HTTP/1.1\r\nhost: x\r\n${more}\r\n`

/** What comes back for these pieces, each sent once the server has had turns for the one before. */
async function answersTo(port: number, pieces: readonly Buffer[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => socket.destroy())
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  socket.on('end', () => socket.end())
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const piece of pieces) {
    if (socket.writable) socket.write(piece)
    for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  await closed
  const answers = text.matchAll(/HTTP\/1\.1 (\d{3})[^]*?\r\nconnection: ([\w-]+)/gi)
  return [...answers].map(([, status, connection]) => `${status} ${connection}`).join(', ')
}

test('RFC 9110, 7.8: whatever follows a request for another protocol is answered as after any other', async () => {
  const host = await house.host()
  const scene: Scene = {
    service: 'packs',
    key: host.key,
    kept: 'A'.repeat(10),
    doomed: 'B'.repeat(10),
  }
  const port = Number(new URL(house.doors.packs.url).port)
  const seen = new Set<string>()
  const wanted = ['201 keep-alive', '400 close', '431 close']
  const isWanting = () => !wanted.every((each) => seen.has(each))
  for (let seed = 1; seed <= 300 || (seed <= 3_000 && isWanting()); seed += 1) {
    house.clock.nextMinute()
    const random = new SeededRandom(seed)
    const { bytes, asksToContinue } = makeRequest(scene, random.below(1 << 30), `s${seed}`)
    // Whether its body has come by then is for the clock to say.
    if (asksToContinue) continue
    // Long ones pass the bounds of the parser only with a piece of their own behind it.
    const cut = bytes.length > 17_000 ? 17_000 : 1 + random.below(bytes.length)
    const pieces = [bytes.subarray(0, cut), bytes.subarray(cut), Buffer.from(goodbye)]
    const [plain, upgraded] = await Promise.all(
      ['', 'connection: upgrade\r\nupgrade: h2c\r\n'].map((more) =>
        answersTo(port, [Buffer.from(first(more)), ...pieces]),
      ),
    )
    expect(
      upgraded,
      `seed ${seed}: ${JSON.stringify(bytes.toString('latin1').slice(0, 300))}`,
    ).toBe(plain)
    for (const status of plain!.split(', ')) seen.add(status)
  }
  expect([...seen]).toEqual(expect.arrayContaining(wanted))
})
