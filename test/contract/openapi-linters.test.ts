import { Socket } from 'node:net'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { documents } from './documents.ts'

const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(() => {
  throw new Error('a linter went to the network')
})
afterAll(() => connect.mockRestore())

const lintBySpectral = async (document: object) => {
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [[oas as never, 'recommended']] })
  const found = await spectral.run(JSON.stringify(document))
  return found.map(({ code, message, path }) => `${code}: ${message} (${path.join('/')})`)
}

const lintByRedocly = async (document: object) => {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source: JSON.stringify(document), config })
  return found.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`,
  )
}

const linters = { Spectral: lintBySpectral, Redocly: lintByRedocly }

describe.each(Object.entries(linters))('%s, warnings included (spec 9)', (_name, lint) => {
  test.each(['packs', 'pools'] as const)('finds nothing in the %s document', async (service) => {
    expect(await lint(documents[service])).toEqual([])
    expect(connect).not.toHaveBeenCalled()
  })

  test('finds what is wrong in a spoiled document', async () => {
    const spoiled = structuredClone(documents.packs) as unknown as {
      paths: Record<string, Record<string, { operationId?: string }>>
      components: { responses: Record<string, { description?: string }> }
    }
    delete spoiled.paths['/me']?.['get']?.operationId
    delete spoiled.components.responses['NotFound']?.description
    const found = await lint(spoiled)
    expect(found.some((line) => line.startsWith('operation-operationId'))).toBe(true)
    expect(found.some((line) => /description/.test(line))).toBe(true)
  })
})
