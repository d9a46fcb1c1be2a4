import { DISCORD_URL_EXAMPLE } from '../../src/contract/announcements.ts'
import { ChatAddress } from '../../src/domain/chat-address.ts'
import type { ChatMessage } from '../../src/domain/chat-messages.ts'
import type { DiscordChannel } from '../../src/domain/tournaments.ts'
import type { Chat, ChatAnswer } from '../../src/ports/announcements.ts'

/** The token of the example: what no answer and no log may show. */
export const SECRET_TOKEN = DISCORD_URL_EXAMPLE.split('/').at(-1)!

export const aChannel = (url = DISCORD_URL_EXAMPLE): DiscordChannel => ({
  address: ChatAddress.parse(url)!,
  off: null,
})

/** What Discord answers of a webhook that was deleted. */
export const gone: ChatAnswer = { kind: 'gone', status: 404, code: 10_015 }

export const failed500: ChatAnswer = { kind: 'failed', problem: 'status', status: 500, code: 0 }

/** The id that a message shows. */
export const idIn = ({ embeds }: ChatMessage): string =>
  / · ([\w-]{10})/.exec(embeds[0]!.footer.text)![1]!

/** A chat in memory: it answers what it is told to, and else takes everything. */
export class ScriptedChat implements Chat {
  readonly posted: ChatMessage[] = []
  /** What the next posts are answered; `taken` ones are posted all the same. */
  readonly answers: { readonly answer: ChatAnswer; readonly taken?: boolean }[] = []

  async post(_address: ChatAddress, message: ChatMessage): Promise<ChatAnswer> {
    const next = this.answers.shift()
    if (next === undefined || next.answer.kind === 'sent' || next.taken === true) {
      this.posted.push(message)
    }
    return next?.answer ?? { kind: 'sent', pauseMs: 0 }
  }

  get ids(): string[] {
    return this.posted.map(idIn)
  }
}
