import type { poolsSessionApi } from '../../contract/session-api.ts'
import { listAnnouncements, sendAgain, sendTrial } from '../../operations/announcements.ts'
import { jsonBody } from '../answer.ts'
import type { HandlerTable } from '../handler.ts'

/** What is announced in the channel of a tournament, for its hosts (D-97). */
export const announcementHandlers: HandlerTable<
  Pick<typeof poolsSessionApi, 'listAnnouncements' | 'sendTrial' | 'sendAgain'>
> = {
  async listAnnouncements({ ports, settings }, { accountId, slug }) {
    const { sendsToDiscord = false } = settings
    return { json: jsonBody(await listAnnouncements(ports, accountId, slug, sendsToDiscord)) }
  },

  async sendTrial({ ports, settings }, { accountId, slug }) {
    const { sendsToDiscord = false } = settings
    return { json: jsonBody(await sendTrial(ports, accountId, slug, sendsToDiscord)) }
  },

  async sendAgain({ ports, settings }, { accountId, slug, params }) {
    const { sendsToDiscord = false } = settings
    return { json: jsonBody(await sendAgain(ports, accountId, slug, params.id, sendsToDiscord)) }
  },
}
