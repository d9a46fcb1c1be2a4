import { expect, test, vi } from 'vitest'

test('a worker that has loaded all modules anew makes databases that it has not made before', async () => {
  const urls: string[] = []
  for (let time = 0; time < 2; time += 1) {
    vi.resetModules()
    const databases = await import('../support/postgres-databases.ts')
    urls.push(await databases.emptyDatabase(), (await databases.takeDatabase()).url)
  }
  expect(new Set(urls).size).toBe(4)
})
