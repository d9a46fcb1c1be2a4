import { beforeEach, expect } from 'vitest'

/** Where every test comes to an assertion, which those of pages need not: what they wait for may be all that they want. */
const HELD =
  /^test\/(?:api|contract|domain|formats|generated|history|operations|pool|search|seed|stats|worker)\//

// A test that comes to no assertion cannot fail.
beforeEach(({ task }) => {
  if (HELD.test(task.file.name)) expect.hasAssertions()
})
