import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { describe, expect, it, test } from 'vitest'
import {
  isPublicAddress,
  NoAnswer,
  type PinnedRequest,
  pinnedLookup,
  postPinned,
  type ResolvedAddress,
} from '../../src/adapters/discord/pinned-request.ts'
import { ChatAddress } from '../../src/domain/chat-address.ts'

/** What nothing is sent to, however a name leads there. */
const refused = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  loopback: ['127.0.0.1', '127.0.0.53', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  'shared by a carrier': ['100.64.0.1', '100.127.255.255'],
  'link-local, with the metadata of clouds': ['169.254.169.254', '169.254.0.1', 'fe80::1'],
  'with a zone': ['fe80::1%eth0', 'fe80::1%1', '2606:4700::1%eth0'],
  'of protocols': ['192.0.0.1', '192.0.0.170', '192.52.193.1', '192.175.48.1', '192.31.196.1'],
  'of documentation': ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1'],
  'of benchmarks': ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  'of relays of 6to4': ['192.88.99.1'],
  multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1', 'ff0e::1'],
  reserved: ['240.0.0.1', '255.255.255.255', '::', '100::1', '5f00::1', '4000::1'],
  'unique local': ['fc00::1', 'fd12:3456:789a::1'],
  'site-local': ['fec0::1'],
  'IPv4 in IPv6, mapped': [
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
  ],
  'IPv4 in IPv6, of old kinds': ['::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1'],
  '6to4': ['2002:7f00:1::', '2002:c0a8:101::1'],
  Teredo: ['2001::1', '2001:0:7f00:1::'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::1'],
  ORCHID: ['2001:10::1', '2001:20::1'],
  'numbers that are no addresses': [
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0x7f.1',
    '',
  ],
  names: ['localhost', 'discord.com'],
} as const

const allowed = [
  '162.159.128.233',
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '223.255.255.255',
  '2606:4700::6810:1',
  '2a00:1450:4001:830::200e',
  '2400:cb00::1',
]

const all = Object.values<readonly string[]>(refused).flat()

describe('isPublicAddress', () => {
  it.each(Object.entries<readonly string[]>(refused))('refuses addresses %s', (_, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })

  it('refuses at least 60, and every other spelling of each that the platform accepts', () => {
    expect(new Set(all).size).toBeGreaterThanOrEqual(60)
    const spelled = all
      .filter((address) => address.includes(':'))
      .flatMap((address) => {
        const [host = '', zone] = address.split('%')
        if (zone !== undefined || host.includes('.')) return []
        const long = new URL(`http://[${host}]`).hostname.slice(1, -1)
        return [long, host.toUpperCase()]
      })
    expect(spelled.length).toBeGreaterThan(20)
    expect(spelled.filter(isPublicAddress)).toEqual([])
  })

  it('allows those of hosts on the Internet, up to the edges of what it refuses', () => {
    expect(allowed.filter((address) => !isPublicAddress(address))).toEqual([])
  })
})

describe('ChatAddress.parse', () => {
  const path = `/api/webhooks/112233445566778899/${'a'.repeat(68)}`

  it('takes the names that Discord has, and asks one of them', () => {
    for (const host of [
      'discord.com',
      'discordapp.com',
      'canary.discord.com',
      'ptb.discord.com',
      'ptb.discordapp.com',
    ]) {
      for (const version of ['', 'v9/', 'v10/']) {
        const url = ` https://${host}${path.replace('/webhooks', `/${version}webhooks`)} `
        const address = ChatAddress.parse(url.replace('//webhooks', '/webhooks'))
        expect(address?.reveal(), url).toBe(
          `https://discord.com/api/v10/webhooks/112233445566778899/${'a'.repeat(68)}`,
        )
      }
    }
    const thread = ChatAddress.parse(`https://discord.com${path}?thread_id=112233445566778899`)
    expect(thread?.reveal()).toMatch(/\?thread_id=112233445566778899$/)
  })

  it('refuses every other address', () => {
    const hosts = [
      ...all.filter((host) => host !== 'discord.com'),
      'discord.com.evil.test',
      'evil.test',
      'discord.com@evil.test',
      'evil.test#discord.com',
      'discord.com:8443',
      'discord.com.',
      'discord.comevil.test',
      'xdiscord.com',
      'media.discordapp.net',
      'discord.gg',
      'DISCORD.com',
      'dıscord.com',
      'canary.ptb.discord.com',
    ]
    const urls = [
      ...hosts.map((host) => `https://${host.includes(':') ? `[${host}]` : host}${path}`),
      `http://discord.com${path}`,
      `https://discord.com${path}/slack`,
      `https://discord.com${path}/github`,
      `https://discord.com${path}/../../../users/@me`,
      `https://discord.com${path}?wait=true`,
      `https://discord.com${path}?thread_id=1&wait=false`,
      `https://discord.com${path}#x`,
      `https://discord.com${path}\nhttps://evil.test`,
      `https://discord.com/api/webhooks/${'a'.repeat(68)}`,
      'https://discord.com/api/webhooks/112233445566778899/..%2f..%2fusers',
      '',
    ]
    expect(urls.filter((url) => ChatAddress.parse(url) !== null)).toEqual([])
  })

  it('is secret wherever it is printed', async () => {
    const address = ChatAddress.parse(`https://discord.com${path}`)!
    const { inspect } = await import('node:util')
    const texts = [
      String(address),
      JSON.stringify({ address }),
      inspect({ address }, { depth: 9, showHidden: true }),
      JSON.stringify(structuredClone(Object.entries(address))),
    ]
    for (const text of texts) expect(text).not.toContain('aaaa')
  })
})

const listen = async (answer: Parameters<typeof createServer>[1]): Promise<number> => {
  const server: Server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const request = (changes: Partial<PinnedRequest> & { readonly url: URL }): PinnedRequest => ({
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeoutMs: 5_000,
  maxBytes: 1_000,
  isAllowed: isPublicAddress,
  ...changes,
})

describe('postPinned', () => {
  it.each(all.filter((address) => /^[\d.]+$|:/.test(address) && address !== '127.1'))(
    'connects to nothing when a name leads to %s, alone or beside a public address',
    async (address) => {
      const family = address.includes(':') ? 6 : 4
      for (const list of [
        [{ address, family }],
        [
          { address: '162.159.128.233', family: 4 },
          { address, family },
        ],
      ]) {
        const asked = request({ url: new URL('https://chat.test/'), resolve: async () => list })
        const error = await postPinned(asked).catch((thrown: unknown) => thrown)
        expect(error).toBeInstanceOf(NoAnswer)
        expect(error).toMatchObject({ isRefused: true })
      }
    },
  )

  it('refuses an address in place of a name without looking anything up', async () => {
    const resolve = () => Promise.reject(new Error('looked up'))
    for (const host of ['127.0.0.1', '[::1]', '0x7f000001', '2130706433', '0177.0.0.1']) {
      const asked = request({ url: new URL(`https://${host}/`), resolve })
      await expect(postPinned(asked)).rejects.toMatchObject({ isRefused: true })
    }
  })

  it('looks a name up once, and connects to what was checked, whatever it leads to by then', async () => {
    let asked = 0
    let came = 0
    const port = await listen((_, reply) => {
      came += 1
      reply.end('{}')
    })
    // The first answer is checked; one that came later would not be allowed.
    const resolve = async (): Promise<ResolvedAddress[]> => {
      asked += 1
      return asked === 1
        ? [{ address: '127.0.0.1', family: 4 }]
        : [{ address: '127.0.0.2', family: 4 }]
    }
    const url = new URL(`http://chat.test:${port}/`)
    const isAllowed = (address: string) => address === '127.0.0.1'
    const answer = await postPinned(request({ url, resolve, isAllowed }))
    expect(answer).toMatchObject({ status: 200, body: '{}' })
    expect([asked, came]).toEqual([1, 1])
    const pinned = pinnedLookup([{ address: '192.0.2.1', family: 4 }])
    pinned('anything.test', { all: true }, (error, found) => {
      expect([error, found]).toEqual([null, [{ address: '192.0.2.1', family: 4 }]])
    })
    pinned('anything.test', {}, (error, found, family) => {
      expect([error, found, family]).toEqual([null, '192.0.2.1', 4])
    })
  })

  it('sends nothing over a connection that leads elsewhere than was checked', async () => {
    let came = 0
    const port = await listen((_, reply) => {
      came += 1
      reply.end()
    })
    let checks = 0
    const isAllowed = () => (checks += 1) === 1
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const asked = request({ url: new URL(`http://chat.test:${port}/`), resolve, isAllowed })
    await expect(postPinned(asked)).rejects.toMatchObject({ isRefused: true })
    expect(came).toBe(0)
  })

  const toServer = async (answer: Parameters<typeof createServer>[1], changes = {}) => {
    const url = new URL(`http://127.0.0.1:${await listen(answer)}/`)
    return postPinned(request({ url, isAllowed: () => true, ...changes }))
  }

  it('gives what was answered in time, though its body takes too long', async () => {
    const answer = await toServer(
      (_, reply) => {
        reply.writeHead(200, { 'x-ratelimit-remaining': '0' })
        reply.write('{"id":')
      },
      { timeoutMs: 3_000 },
    )
    expect(answer).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '0' } })
    expect(answer.body).toBeNull()
  })

  it('gives a redirect as it is, and does not follow it', async () => {
    let came = 0
    const answer = await toServer((_, reply) => {
      came += 1
      reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    })
    expect([answer.status, came]).toEqual([302, 1])
  })

  it('reads no more than it may, and gives the status of an answer that is longer or breaks off', async () => {
    const long = await toServer((_, reply) => void reply.end('x'.repeat(1_001)))
    expect(long).toMatchObject({ status: 200, body: null })
    const exact = await toServer((_, reply) => void reply.end('x'.repeat(1_000)))
    expect(exact.body).toHaveLength(1_000)
    const cut = await toServer((_, reply) => {
      reply.writeHead(200, { 'content-length': '100' })
      reply.write('half')
      setTimeout(() => reply.destroy(), 20)
    })
    expect(cut).toMatchObject({ status: 200, body: null })
  })

  it('ends a call that takes too long, at the look-up or before the answer', async () => {
    const slow = () => new Promise<never>(() => {})
    const url = new URL('https://chat.test/')
    const late = { timeoutMs: 50 }
    await expect(postPinned(request({ url, resolve: slow, ...late }))).rejects.toThrow(
      /within 50 ms/,
    )
    await expect(toServer(() => {}, late)).rejects.toThrow(NoAnswer)
  })
})

test('no message of a failure has the path or the body in it', async () => {
  const secret = 'token-of-a-webhook'
  const failures = [
    request({ url: new URL(`https://chat.test/${secret}`), resolve: async () => [] }),
    request({
      url: new URL(`https://chat.test/${secret}`),
      resolve: () => Promise.reject(new Error(secret)),
    }),
    request({ url: new URL(`http://127.0.0.1:1/${secret}`), isAllowed: () => true, body: secret }),
  ]
  for (const each of failures) {
    const error = await postPinned(each).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NoAnswer)
    expect(String(error)).not.toContain(secret)
  }
})
