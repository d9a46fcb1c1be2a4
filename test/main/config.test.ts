import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Config, ConfigProblems, loadConfig, misspelt } from '../../src/main/config.ts'
import { shown, type Variable, variables } from '../../src/main/variables.ts'
import { storePlaceOf } from '../../src/main/wire.ts'
import { makeCertificate } from '../support/certificate.ts'
import { freshFolder } from '../support/processes.ts'
import { plainInstallation } from '../support/settings.ts'

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
}

test('with nothing set, every variable has its default', () => {
  expect(loadConfig({})).toEqual({
    host: '127.0.0.1',
    ports: { packs: 8080, pools: 8081 },
    platform: null,
    platformPort: 8082,
    metricsPort: null,
    healthPort: null,
    indexDir: null,
    databaseUrl: null,
    databaseDirectUrl: null,
    databasePrepared: true,
    databaseConnections: 10,
    dataDir: resolve('data'),
    publicUrls: { packs: null, pools: null, site: null },
    keyPrefixes: { packs: 'packs', pools: 'pools' },
    poolsOwnerName: 'Tournament pools',
    installation: plainInstallation,
    sendsToDiscord: false,
    discordUrl: null,
    mirrors: [],
    trustedProxies: [],
    tls: null,
    drainSeconds: 5,
    inheritedSockets: 0,
    logLevel: 'info',
  } satisfies Config)
})

test('an empty variable counts as not set, spaces around a value do not count', () => {
  const config = loadConfig({ PORT: '', PACKS_URL: '  ', POOLS_PORT: ' 9000 ' })
  expect(config.ports).toEqual({ packs: 8080, pools: 9000 })
  expect(config.publicUrls.packs).toBeNull()
})

test('a name that is almost that of a setting is found, with that setting', () => {
  const names = Object.keys(variables).filter((name) => name.length > 8)
  for (const name of names) {
    const [at, end] = [Math.floor(name.length / 2), name.length - 1]
    const typos = [
      name.toLowerCase(),
      name.replaceAll('_', ''),
      `${name}S`,
      name.slice(0, at) + name.slice(at + 1),
      name.slice(0, end - 1) + name[end] + name[end - 1],
    ]
    for (const typo of typos.filter((each) => each !== name)) {
      expect(misspelt({ [typo]: 'x' }), typo).toEqual([[typo, name]])
      expect(misspelt({ [typo]: '' })).toEqual([])
    }
  }
  const set = Object.fromEntries(names.map((name) => [name, 'x']))
  const ofOthers = ['HOSTS', 'POST', 'HOSTNAME', 'PATH', 'DATABASE', 'SITE', 'x'.repeat(50_000)]
  expect(misspelt({ ...set, ...Object.fromEntries(ofOthers.map((name) => [name, 'x'])) })).toEqual(
    [],
  )
})

test('of a setting that is no secret, a file is no setting', () => {
  for (const [name, { isSecret }] of Object.entries<Variable<unknown>>(variables)) {
    if (isSecret || name.length < 8 || name.endsWith('_FILE')) continue
    expect(misspelt({ [`${name}_FILE`]: 'x' })).toEqual([[`${name}_FILE`, name]])
  }
})

test('whatever a value holds, each problem is one line that a terminal shows', () => {
  const garbled = 'x\u001b[31m\r\n  PORT "1"\u2028\u202e\u0085'
  const problems = Object.keys(variables).flatMap((name) => problemsOf({ [name]: garbled }))
  expect(problems.length).toBeGreaterThan(20)
  for (const problem of problems) {
    expect(problem).toMatch(/^[A-Z_]+ [^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+$/u)
  }
})

test('nobody can change the configuration once it is checked', () => {
  const config = loadConfig({})
  expect(() => Object.assign(config, { host: 'x' })).toThrow(TypeError)
  expect(() => Object.assign(config.ports, { packs: 1 })).toThrow(TypeError)
})

test('all problems are told at once, each with its variable, the value and the remedy', () => {
  const problems = problemsOf({
    HOST: 'not a host',
    PORT: '80a',
    POOLS_PORT: '70000',
    PACKS_URL: 'packs.example.org',
    POOLS_URL: 'https://example.org/pools',
    SITE_URL: 'ftp://example.org',
    PACKS_KEY_PREFIX: 'Packs',
    POOLS_KEY_PREFIX: 'pools_',
    POOLS_OWNER_NAME: 'x'.repeat(65),
    TRUSTED_PROXIES: '10.0.0.0/8, nonsense',
    TLS_CERT_FILE: '/does/not/exist.pem',
    LOG_LEVEL: 'loud',
  })
  expect(problems).toEqual([
    'HOST "not a host" is no address; give one such as 127.0.0.1, ::1 or 0.0.0.0',
    'PORT "80a" is no port; give a whole number from 0 to 65535',
    'POOLS_PORT "70000" is no port; give a whole number from 0 to 65535',
    'PACKS_URL "packs.example.org" is no web address; give one such as https://packs.example.org',
    'POOLS_URL "https://example.org/pools" must end after the host; leave out path, query and user',
    'SITE_URL "ftp://example.org" is no web address; give one such as https://packs.example.org',
    'PACKS_KEY_PREFIX "Packs" is no prefix; give 1 to 16 of a–z and 0–9, a letter first',
    'POOLS_KEY_PREFIX "pools_" is no prefix; give 1 to 16 of a–z and 0–9, a letter first',
    `POOLS_OWNER_NAME "${'x'.repeat(65)}" must have at most 64 characters and no control characters`,
    'TRUSTED_PROXIES "10.0.0.0/8, nonsense" holds "nonsense", no address or range; give such as 10.0.0.0/8, ::1',
    'TLS_CERT_FILE "/does/not/exist.pem" cannot be read (ENOENT); give a PEM file that this user may read',
    'TLS_KEY_FILE is not set though TLS_CERT_FILE is; set both or neither',
    'LOG_LEVEL "loud" is not known; give one of silent, fatal, error, warn, info, debug, trace',
  ])
})

describe('DOWNLOAD_MIRRORS', () => {
  const mirror = 'https://mirror.example/d/{set}'

  test('are addresses that spaces part, each once, in their order', () => {
    const other = 'http://127.0.0.1:9/sets?id={set}&video=no'
    const { mirrors } = loadConfig({ DOWNLOAD_MIRRORS: `  ${mirror}  ${other} ${mirror}` })
    expect(mirrors).toEqual([mirror, other])
  })

  test.each([
    'https://mirror.example/d/',
    'mirror.example/d/{set}',
    'ftp://mirror.example/{set}',
    'https://{set}.mirror.example/',
    "https://mirror.example/{set}'",
    'https://mirror.example/;{set}',
    'https://mirror.example/d,https://other.example/{set}',
    'https://mirror.example/#{set}',
    'https://*.mirror.example/{set}',
  ])('may not hold %s', (bad) => {
    expect(problemsOf({ DOWNLOAD_MIRRORS: `${mirror} ${bad}` })).toEqual([
      `DOWNLOAD_MIRRORS "${mirror} ${bad}" holds "${bad}", no address of a mirror; give such as ${mirror}`,
    ])
  })
})

describe("D-102: an installation's own", () => {
  test('name, contact and colour are as they are given; the name is in NFC', () => {
    const { installation } = loadConfig({
      SITE_NAME: ' Cafe\u0301 Cups ',
      SITE_CONTACT: 'mailto:hello@nordlicht.example',
      SITE_ACCENT: '#7A1FA2',
    })
    expect(installation).toMatchObject({
      name: 'Caf\u00e9 Cups',
      contact: 'mailto:hello@nordlicht.example',
      accent: { light: { accent: '#7a1fa2' } },
      logo: null,
    })
  })

  test.each([
    'x',
    '港',
    'كأس الشمال',
    'می\u200cخواهم',
    '🏆 Cups',
    '❤\ufe0f Cups',
    '👩\u200d🚀 Cups',
    '❤\ufe0f\u200d🔥 Cups',
    'W'.repeat(40),
  ])('name may be %s', (name) => {
    expect(loadConfig({ SITE_NAME: name }).installation.name).toBe(name)
  })

  test.each([
    ['W'.repeat(41), 'must be at most 40 characters long'],
    ['Nordlicht\nCups', 'must be one line without control characters'],
    ['Nordlicht\u001b[31m', 'must be one line without control characters'],
    ['\u202eCups', 'must not contain U+202E: it changes the direction of text; remove it'],
    ['\u2067Cups', 'must not contain U+2067: it changes the direction of text; remove it'],
    ['Nordlicht\u2028Cups', 'must not contain U+2028: it is a line break; remove it'],
    ['\u200b\u200d', 'must have at least one visible character'],
    ['Nord\u200blicht', 'must not contain U+200B: it cannot be seen; remove it'],
    ['Nord\u00adlicht', 'must not contain U+00AD: it cannot be seen; remove it'],
    ['Nord\u2060licht', 'must not contain U+2060: it cannot be seen; remove it'],
    ['Nord\ufefflicht', 'must not contain U+FEFF: it cannot be seen; remove it'],
    ['Nord\u200d licht', 'must not contain U+200D: it cannot be seen; remove it'],
    ['Nord\u200d\u200dlicht', 'must not contain U+200D: it cannot be seen; remove it'],
    ['Cups \ufe0f', 'must not contain U+FE0F: it cannot be seen; remove it'],
    ['Nord\u3164licht', 'must not contain U+3164: it cannot be seen; remove it'],
    ['Nord\u{e0041}licht', 'must not contain U+E0041: it cannot be seen; remove it'],
    ['\ud800', 'must be valid Unicode: it holds half a surrogate pair'],
  ])('name may not be %j', (name, said) => {
    expect(problemsOf({ SITE_NAME: name })).toEqual([`SITE_NAME "${shown(name)}" ${said}`])
  })

  test.each([
    'mailto:hello@nordlicht.example',
    'mailto:first.last+cups@mail.nordlicht.example',
    'https://nordlicht.example/contact?from=site#form',
  ])('contact may be %s', (contact) => {
    expect(loadConfig({ SITE_CONTACT: contact }).installation.contact).toBe(contact)
  })

  test.each([
    'hello@nordlicht.example',
    'http://nordlicht.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'tel:+49301234',
    'mailto:',
    'mailto:a@b',
    'mailto:a@b.example,c@d.example',
    'mailto:a@b.example?bcc=c@d.example',
    'mailto:a%0Abcc:c@b.example',
    'mailto:a b@c.example',
    'https://nordlicht.example/"onclick="x',
    'https://',
    `https://nordlicht.example/${'x'.repeat(300)}`,
  ])('contact may not be %j', (contact) => {
    expect(problemsOf({ SITE_CONTACT: contact })).toEqual([
      `SITE_CONTACT "${contact}" is nothing that visitors can use; give mailto: with an address, or a page that begins with https://`,
    ])
  })

  test.each(['teal', '#fff', '7a1fa2', '#7a1fa2ff', 'rgb(1,2,3)', '#7a1fg2', '#7a1fa2;}'])(
    'accent may not be %s',
    (accent) => {
      expect(problemsOf({ SITE_ACCENT: accent })).toEqual([
        `SITE_ACCENT "${accent}" is no colour; give # and six digits, such as #0b655f`,
      ])
    },
  )

  test('accent can be read, or is refused with the nearest that can', () => {
    expect(problemsOf({ SITE_ACCENT: '#808080' })).toEqual([
      'SITE_ACCENT "#808080" cannot be read: its contrast is 3.34 : 1 on "chosen" (#ebecee) of the light theme and 3.83 : 1 on "hover" (#202633) of the dark theme; in one of them it needs 4.5 : 1 on each surface. The nearest that can be read is #8c8c8c, or #696969',
    ])
  })

  test('logo is a file in DATA_DIR, and what is wrong with it is told', async () => {
    const folder = await freshFolder()
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><g/><path d="M0 0h8v8z"/></svg>'
    await writeFile(join(folder, 'logo.svg'), svg)
    await writeFile(join(folder, 'bad.svg'), svg.replace('<g/>', '<script/>'))
    const { logo } = loadConfig({ DATA_DIR: folder, SITE_LOGO: 'logo.svg' }).installation
    expect(logo?.type).toBe('image/svg+xml')
    const problemOf = (name: string) => problemsOf({ DATA_DIR: folder, SITE_LOGO: name })
    expect(problemOf('bad.svg')).toEqual([
      'SITE_LOGO "bad.svg" holds <script>, which a logo may not; save it as a plain SVG without that (line 1)',
    ])
    expect(problemOf('none.svg')).toEqual([
      `SITE_LOGO "none.svg" cannot be read (ENOENT); put it into ${folder}`,
    ])
    expect(problemOf('../logo.svg')).toEqual([
      'SITE_LOGO "../logo.svg" is no name of a file; give one such as logo.svg or logo.png',
    ])
  })
})

test.each([
  ['postgres://ada:secret@db.example.org:5432/mapcrate'],
  ['postgresql:///mapcrate?host=/run'],
])('DATABASE_URL may be %s', (url) => {
  expect(loadConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
})

test('DOWNLOAD_MIRRORS never opens the content security policy for more than one host a mirror', () => {
  const signs = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
  for (const sign of signs) {
    for (const host of [
      sign,
      `${sign}.example`,
      `mirror${sign}example`,
      `mirror.example:${sign}`,
    ]) {
      const text = `https://${host}/{set}`
      const [problem] = problemsOf({ DOWNLOAD_MIRRORS: text })
      if (problem !== undefined) continue
      expect(new URL(text).origin, text).toMatch(/^https:\/\/[\w.-]+(?::\d+)?$/)
    }
  }
})

describe('the place that DATABASE_URL names', () => {
  const placeOf = (url: string) => storePlaceOf(loadConfig({ DATABASE_URL: url }))

  test.each([
    ['postgres://ada@/packs?host=/run/postgresql', '/run/postgresql/packs'],
    ['postgres://ada:a%40b@%2Frun%2Fpostgresql:5433/packs', '/run/postgresql:5433/packs'],
    [
      'postgres://ada:secret@one,two:5433/packs?target_session_attrs=read-write',
      'one,two:5433/packs',
    ],
    ['postgres://ada@/packs?host=one,two&port=5432,5433', 'one:5432,two:5433/packs'],
    ['postgres://ada@[::1]:5433,[2001:db8::1]/packs', '[::1]:5433,[2001:db8::1]/packs'],
    ['postgres://ada:secret@db/packs?sslmode=require', 'db/packs'],
    ['postgres:///packs', 'localhost/packs'],
  ])('may be %s', (url, place) => {
    expect(placeOf(url)).toBe(`PostgreSQL, ${place}`)
  })

  test.each([
    ['postgres://ada:secret@one,two:x/packs', /^DATABASE_URL is no database/],
    ['postgres://ada:secret@one:99999/packs', /^DATABASE_URL must have ports from 1 to 65535$/],
    ['postgres://ada@/packs?host=a,b,c&port=1,2', /^DATABASE_URL must have one port for all hosts/],
    [
      'postgres://ada:secret@one/packs?target_session_attrs=standby',
      /^DATABASE_URL must name a server that takes writes/,
    ],
  ])('may not be %s, and is not repeated', (url, problem) => {
    const problems = problemsOf({ DATABASE_URL: url })
    expect(problems).toEqual([expect.stringMatching(problem)])
    expect(problems.join()).not.toContain('secret')
  })
})

test('DATABASE_PREPARED and DATABASE_DIRECT_URL are for poolers', () => {
  const direct = 'postgres://ada:secret@db/packs'
  const pooler = { DATABASE_URL: 'postgres://ada:secret@pooler/packs', DATABASE_PREPARED: 'off' }
  expect(loadConfig({ ...pooler, DATABASE_DIRECT_URL: direct })).toMatchObject({
    databasePrepared: false,
    databaseDirectUrl: direct,
  })
  // Else a store in a file would be served in its place.
  expect(problemsOf({ DATABASE_DIRECT_URL: direct })).toEqual([
    'DATABASE_URL is not set though DATABASE_DIRECT_URL is; set both or neither',
  ])
  expect(problemsOf({ DATABASE_PREPARED: 'no', DATABASE_DIRECT_URL: 'x:secret' })).toEqual([
    expect.stringMatching(/^DATABASE_DIRECT_URL is no database/),
    'DATABASE_PREPARED "no" is not known; give one of on, off',
  ])
})

test('DATABASE_URL is repeated in no message, whatever is wrong with it', () => {
  for (const url of ['mysql://ada:secret@db/x', 'ada:secret@db', 'postgres://ada:secret@[db/x']) {
    expect(problemsOf({ DATABASE_URL: url, DATABASE_CONNECTIONS: '0' })).toEqual([
      'DATABASE_URL is no database; give one such as postgres://user:password@host:5432/mapcrate',
      'DATABASE_CONNECTIONS "0" is no count; give a whole number from 1 to 9999',
    ])
  }
})

test('where the store is can be told without its password', () => {
  const place = (env: Record<string, string>) => storePlaceOf(loadConfig(env))
  const url = 'postgres://ada:secret@db.example.org:5432/mapcrate?password=secret'
  expect(place({ DATABASE_URL: url })).toBe('PostgreSQL, db.example.org:5432/mapcrate')
  expect(place({ DATA_DIR: '/srv/packs' })).toBe(join('/srv/packs', 'mapcrate.db'))
})

test.each([['127.0.0.1'], ['0.0.0.0'], ['::1'], ['::'], ['localhost'], ['packs.example.org']])(
  'HOST may be %s',
  (host) => {
    expect(loadConfig({ HOST: host }).host).toBe(host)
  },
)

test.each([['-x'], ['a..b'], ['http://x'], ['127.0.0.1:80'], ['[::1]']])(
  'HOST may not be %s',
  (host) => {
    expect(problemsOf({ HOST: host })).toHaveLength(1)
  },
)

test.each([['-1'], ['65536'], ['1.5'], ['0x50'], ['1e3'], ['eighty']])(
  'PORT may not be %s',
  (port) => {
    expect(problemsOf({ PORT: port })).toHaveLength(1)
  },
)

test('each server has its own port; 0 is any free one, for all', () => {
  expect(problemsOf({ PORT: '9000', POOLS_PORT: '9000' })).toEqual([
    'POOLS_PORT is 9000 as PORT is; give each its own port',
  ])
  expect(problemsOf({ PORT: '8082', METRICS_PORT: '8081' })).toEqual([
    'PLATFORM_PORT is 8082 as PORT is; give each its own port',
    'METRICS_PORT is 8081 as POOLS_PORT is; give each its own port',
  ])
  const client = { PLATFORM_CLIENT_ID: '7', PLATFORM_CLIENT_SECRET: 's' }
  expect(problemsOf({ PORT: '8082', ...client }), 'no stand-in runs then').toEqual([])
  expect(problemsOf({ PORT: '8081' })).toHaveLength(1)
  expect(loadConfig({ PORT: '0', POOLS_PORT: '0' }).ports).toEqual({ packs: 0, pools: 0 })
})

test('a platform is an address, a client and its secret, or the stand-in', () => {
  const client = { PLATFORM_CLIENT_ID: '7', PLATFORM_CLIENT_SECRET: 'hush' }
  const known = { coversUrl: 'https://assets.ppy.sh', clientId: '7', clientSecret: 'hush' }
  expect(loadConfig(client).platform).toEqual({ url: 'https://osu.ppy.sh', ...known })
  expect(loadConfig({ ...client, PLATFORM_URL: 'http://localhost:9/' }).platform).toEqual({
    url: 'http://localhost:9',
    ...known,
  })
  expect(problemsOf({ PLATFORM_URL: 'https://example.org' })).toEqual([
    'PLATFORM_CLIENT_ID is not set though PLATFORM_URL is; register an application and set it',
  ])
  expect(problemsOf({ PLATFORM_CLIENT_ID: '7' })).toEqual([
    'PLATFORM_CLIENT_SECRET is not set though PLATFORM_CLIENT_ID is; register an application and set it',
  ])
  const [problem] = problemsOf({ PLATFORM_CLIENT_SECRET: 'hush' })
  expect(problem).toMatch(/^PLATFORM_CLIENT_ID is not set/)
  expect(problem).not.toContain('hush')
})

test.each([
  ['https://packs.example.org', 'https://packs.example.org'],
  ['https://packs.example.org/', 'https://packs.example.org'],
  ['http://localhost:8080/', 'http://localhost:8080'],
  ['https://Packs.Example.org:443', 'https://packs.example.org'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
])('PACKS_URL %s becomes %s', (text, url) => {
  expect(loadConfig({ PACKS_URL: text }).publicUrls.packs).toBe(url)
})

test.each([
  ['https://example.org/packs'],
  ['https://example.org?'],
  ['https://example.org/#x'],
  ['https://me@example.org'],
  ['https:example.org'],
  ['//example.org'],
  ['https://'],
])('PACKS_URL may not be %s', (text) => {
  expect(problemsOf({ PACKS_URL: text })).toHaveLength(1)
})

test('D-1: the prefixes are configuration, and differ', () => {
  const config = loadConfig({ PACKS_KEY_PREFIX: 'mp', POOLS_KEY_PREFIX: 'tp2' })
  expect(config.keyPrefixes).toEqual({ packs: 'mp', pools: 'tp2' })
  expect(problemsOf({ PACKS_KEY_PREFIX: 'pools' })).toEqual([
    'POOLS_KEY_PREFIX is "pools" as PACKS_KEY_PREFIX is; they must differ',
  ])
})

test('D-6: trusted proxies are addresses and ranges, separated by commas or spaces', () => {
  const text = '10.0.0.0/8,192.168.1.7  2001:db8::/32, ::1'
  expect(loadConfig({ TRUSTED_PROXIES: text }).trustedProxies).toEqual([
    '10.0.0.0/8',
    '192.168.1.7',
    '2001:db8::/32',
    '::1',
  ])
})

test.each([['10.0.0.0/33'], ['10.0.0'], ['1'], ['0x7f.1'], ['::1/129'], ['proxy.example.org']])(
  'D-6: %s is no trusted proxy',
  (text) => {
    expect(problemsOf({ TRUSTED_PROXIES: text })).toHaveLength(1)
  },
)

test('certificate and key are read, and must be a pair', async () => {
  const folder = await freshFolder()
  const own = await makeCertificate(folder, 'own')
  const other = await makeCertificate(folder, 'other')
  const { tls } = loadConfig({ TLS_CERT_FILE: own.certFile, TLS_KEY_FILE: own.keyFile })
  expect(tls?.cert).toContain('BEGIN CERTIFICATE')
  expect(tls?.key).toContain('PRIVATE KEY')
  expect(problemsOf({ TLS_CERT_FILE: own.certFile, TLS_KEY_FILE: other.keyFile })).toEqual([
    'TLS_KEY_FILE and TLS_CERT_FILE do not make a pair; give a certificate and its key',
  ])
})

test('a certificate without a key, a folder and a text are refused', async () => {
  const folder = await freshFolder()
  const text = join(folder, 'text.pem')
  await writeFile(text, 'not a certificate')
  await mkdir(join(folder, 'sub'))
  expect(problemsOf({ TLS_KEY_FILE: text })).toEqual([
    'TLS_CERT_FILE is not set though TLS_KEY_FILE is; set both or neither',
  ])
  expect(problemsOf({ TLS_CERT_FILE: text, TLS_KEY_FILE: text })).toHaveLength(1)
  expect(problemsOf({ TLS_CERT_FILE: join(folder, 'sub'), TLS_KEY_FILE: text })).toEqual([
    expect.stringMatching(/^TLS_CERT_FILE ".*sub" cannot be read \(EISDIR\)/),
  ])
})

describe('secrets in files', () => {
  const secrets = Object.entries<Variable<unknown>>(variables).flatMap(([name, { isSecret }]) =>
    isSecret ? [name] : [],
  )
  const inFile = async (text: string): Promise<string> => {
    const file = join(await freshFolder(), 'secret')
    await writeFile(file, text)
    return file
  }

  test('are read, for every secret, without the line break at their end', async () => {
    expect(secrets).toEqual(expect.arrayContaining(['DATABASE_URL', 'PLATFORM_CLIENT_SECRET']))
    const url = 'postgres://ada:hush@db.example.org/mapcrate'
    const config = loadConfig({
      PLATFORM_CLIENT_ID: '7',
      PLATFORM_CLIENT_SECRET_FILE: await inFile('hush hush\n'),
      DATABASE_URL_FILE: await inFile(`${url}\r\n`),
      DATABASE_URL: '',
    })
    expect(config.platform).toMatchObject({ clientSecret: 'hush hush' })
    expect(config.databaseUrl).toBe(url)
  })

  test('are in no message; two of them, a missing and an empty file are named', async () => {
    const file = await inFile('mysql://ada:hush@db/x')
    const empty = await inFile('\n')
    for (const name of secrets) {
      const missing = problemsOf({ PLATFORM_CLIENT_ID: '7', [`${name}_FILE`]: '/no/such/file' })
      expect(missing).toContain(
        `${name} is not known: ${name}_FILE "/no/such/file" cannot be read (ENOENT)`,
      )
      expect(missing.filter((line) => line.startsWith(name))).toHaveLength(1)
      const both = problemsOf({ [name]: 'hush', [`${name}_FILE`]: file })
      expect(both).toContain(`${name} and ${name}_FILE are both set; keep one of them`)
      const none = problemsOf({ [`${name}_FILE`]: empty })
      expect(none).toContain(`${name} is not known: ${name}_FILE "${empty}" is empty`)
    }
    const problems = problemsOf({ DATABASE_URL_FILE: file })
    expect(problems).toHaveLength(1)
    expect(problems.join()).not.toContain('hush')
  })

  test('are no way to read what is no secret', async () => {
    expect(loadConfig({ POOLS_OWNER_NAME_FILE: await inFile('x') }).poolsOwnerName).toBe(
      'Tournament pools',
    )
  })
})
