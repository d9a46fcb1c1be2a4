import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigProblems, loadConfig } from '../../src/main/config.ts'
import { type Variable, variables } from '../../src/main/variables.ts'

const problemsOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
}

const client = { PLATFORM_CLIENT_ID: '7', PLATFORM_CLIENT_SECRET: 'hush' }

describe('what is at one address', () => {
  const addresses = ['PACKS_URL', 'POOLS_URL', 'SITE_URL', 'PLATFORM_URL', 'DISCORD_URL']
  const pairs = addresses.flatMap((one, at) =>
    addresses.slice(at + 1).map((two) => [one, two] as const),
  )
  const together = ['PACKS_URL SITE_URL', 'PLATFORM_URL DISCORD_URL']

  test.each(pairs)(
    '%s and %s: the two may be there, or it is said that they may not',
    (one, two) => {
      const mayBe = together.includes(`${one} ${two}`)
      const of = (first: string, second: string) =>
        problemsOf({ ...client, [one]: first, [two]: second })
      for (const [first, second] of [
        ['https://maps.example', 'https://maps.example'],
        ['https://maps.example', 'https://MAPS.example:443/'],
        ['http://localhost:9000', 'http://127.0.0.1:9000'],
        ['http://[::1]:9000', 'http://localhost:9000'],
      ] as const) {
        const problem = `${two} is ${new URL(second).origin} as ${one} is; give each its own address`
        expect(of(first, second)).toEqual(mayBe ? [] : [problem])
      }
      for (const other of [
        'https://other.example',
        'https://maps.example:444',
        'http://maps.example',
      ])
        expect(of('https://maps.example', other)).toEqual([])
    },
  )

  test('a service without an address of its own has that of its port', () => {
    expect(problemsOf({ POOLS_URL: 'http://localhost:8080' })).toEqual([
      'POOLS_URL is http://localhost:8080 as PACKS_URL is by default; give each its own address',
    ])
    for (const name of ['PACKS_URL', 'SITE_URL']) {
      expect(problemsOf({ HOST: '::1', [name]: 'http://127.0.0.1:8081' })).toEqual([
        `${name} is http://127.0.0.1:8081 as POOLS_URL is by default; give each its own address`,
      ])
    }
    expect(problemsOf({ SITE_URL: 'http://localhost:8080' })).toEqual([])
    expect(problemsOf({ PORT: '0', POOLS_URL: 'http://localhost:8080' })).toEqual([])
  })
})

describe('a password in a value', () => {
  const [first, last] = ['Zq7w', 'Wk9x']
  /** With every sign that could end it too early where it is looked for. */
  const anyPassword = fc
    .array(fc.string({ unit: 'binary', maxLength: 3 }), { minLength: 3, maxLength: 3 })
    .chain((ends) =>
      fc
        .array(
          fc.constantFrom('', '/', '@', ':', ' ', ',', '"', '//', '?', '#', '\n', '%40', '\\'),
          {
            minLength: 3,
            maxLength: 3,
          },
        )
        .map((signs) => ends.map((end, at) => end + signs[at])),
    )
    .map(([before, between, after]) => before + first + between + last + after)
  const anyValue = fc
    .tuple(
      fc.constantFrom(
        'https://',
        'http://',
        'HTTPS://',
        'ftp://',
        'postgres://',
        'https:',
        '//',
        '',
      ),
      fc.constantFrom('ada', '', 'ada@club'),
      anyPassword,
      fc.constantFrom('packs.example', 'localhost:8080', '[::1]', ''),
      fc.constantFrom('', '/', '/{set}', '/x?y#z', ':99999', ' https://other.example/{set}', ', x'),
    )
    .map(([scheme, user, password, host, rest]) => `${scheme}${user}:${password}@${host}${rest}`)

  const files = Object.entries<Variable<unknown>>(variables).flatMap(([name, { isSecret }]) =>
    isSecret ? [`${name}_FILE`] : [],
  )
  const names = [...Object.keys(variables), ...files]

  test('is in no message, whichever variable has it, alone or with all others', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const all = Object.fromEntries(names.map((name) => [name, value]))
        const envs = [all, { DATA_DIR: value, SITE_LOGO: 'logo.svg' }]
        for (const env of [...envs, ...names.map((name) => ({ [name]: value }))]) {
          const problem = problemsOf({ ...env }).join('\n')
          expect(problem).not.toContain(first)
          expect(problem).not.toContain(last)
        }
      }),
    )
  })

  test('leaves what follows it to be recognized by', () => {
    const url = 'https://ada:secret@packs.example'
    expect(problemsOf({ SITE_URL: url, SITE_CONTACT: url, TRUSTED_PROXIES: `::1,${url}` })).toEqual(
      [
        'SITE_URL "…@packs.example" must end after the host; leave out path, query and user',
        'SITE_CONTACT "…@packs.example" is nothing that visitors can use; give mailto: with an address, or a page that begins with https://',
        'TRUSTED_PROXIES "…@packs.example" holds "…@packs.example", no address or range; give such as 10.0.0.0/8, ::1',
      ],
    )
    const mirrors = `https://mirror.example/d/{set} ${url}/{set}`
    expect(problemsOf({ DOWNLOAD_MIRRORS: mirrors })).toEqual([
      'DOWNLOAD_MIRRORS "…@packs.example/{set}" holds "…@packs.example/{set}", no address of a mirror; give such as https://mirror.example/d/{set}',
    ])
  })
})
