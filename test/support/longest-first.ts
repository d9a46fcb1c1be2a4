import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes longest comes first, so that no worker is left with it at the end: whole journeys, real
 * pages, processes that are started and ended. Everything else goes by its size or what it took before.
 */
const longest = [
  'house.test',
  'hostile/changes-kill',
  'cli/mapcrate-live-file',
  'postgres/store-away',
  'hostile/import-texts',
  'main/journey',
  'client/package',
  'seed/',
  'history/',
  'postgres/',
  'main/',
  'cli/',
  'web/',
  'hostile/',
  'conform',
  'site/accept',
  'search/',
  'formats/fuzz',
  'domain/slurs-joined',
  'contract/openapi-linters',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((part) => moduleId.includes(`/test/${part}`))
      return at < 0 ? longest.length : at
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer's
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
