import type { SeededRandom } from '../seeded-random.ts'
import type { Report } from './report.ts'
import type { Service } from './wire.ts'

/** Random requests to one service, each compared with what the specification says. */
export abstract class Fuzz {
  protected readonly service: Service
  protected readonly random: SeededRandom
  protected readonly report: Report
  /** In the names of what is made, so that it can be told from what was there. */
  protected readonly tag: string

  constructor(service: Service, random: SeededRandom, report: Report, tag: string) {
    this.service = service
    this.random = random
    this.report = report
    this.tag = tag
  }

  /** One more request, or a few that belong together. */
  abstract step(): Promise<void>
}
