import { expect, test } from 'vitest'
import { originOf, originsOf } from '../../src/door/sessions.ts'

const loopback = ['127.0.0.1', 'localhost', '[::1]']

test.each(loopback)('a site on %s is also found by the other names of the machine', (name) => {
  for (const port of ['', ':8080']) {
    const origins = originsOf(`http://${name}${port}/`)
    expect(origins[0]).toBe(`http://${name}${port}`)
    expect(origins.toSorted()).toEqual(loopback.map((each) => `http://${each}${port}`).toSorted())
    for (const each of loopback) {
      const host = `${each}${port}`
      expect(originOf({ host }, `http://${name}${port}/`)).toBe(`http://${host}`)
    }
  }
})

test.each(['packs.example.org', '127.0.0.2', '192.168.0.1'])(
  'a site on %s has no other',
  (name) => {
    expect(originsOf(`https://${name}/packs`)).toEqual([`https://${name}`])
  },
)

test.each(['evil.test', 'localhost:1', undefined])(
  'a request for the host %s is one for the public origin',
  (host) => {
    const headers = host === undefined ? {} : { host }
    expect(originOf(headers, 'http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080')
  },
)
