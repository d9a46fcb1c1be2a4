import { expect, test } from 'vitest'
import { allRoles, loadConfig, type Role } from '../../src/main/config.ts'
import { isServed } from '../../src/main/server.ts'

const [packs, pools, site] = ['http://packs.test', 'http://pools.test', 'http://site.test']

test.each([
  ['one process that does all', [...allRoles], {}, true, true],
  ['without the pools', ['api', 'site', 'worker'], {}, true, false],
  ['with pools elsewhere', ['api', 'site'], { POOLS_URL: pools }, true, true],
  ['the pools alone', ['pools'], {}, false, true],
  ['the pools, with the packs site elsewhere', ['pools'], { SITE_URL: site }, true, true],
  ['the pools, with the packs service elsewhere', ['pools'], { PACKS_URL: packs }, true, true],
  ['a worker alone', ['worker'], {}, false, false],
] as const)('%s: which sites there are to link to', (_what, roles, env, hasPacks, hasPools) => {
  const config = loadConfig(env)
  const all = new Set<Role>(roles)
  expect(isServed(config, all, 'packs')).toBe(hasPacks)
  expect(isServed(config, all, 'pools')).toBe(hasPools)
})
