import { Fuzz } from './fuzz.ts'
import { anyText, times } from './pack-model.ts'
import { differenceOf, unlike } from './report.ts'
import {
  anyChanges,
  anyPatch,
  anyRound,
  changedSlots,
  expectedRound,
  type RoundModel,
  type RoundSlot,
  staleChanges,
  type TournamentModel,
} from './round-model.ts'
import type { Exchange } from './wire.ts'

type Round = { readonly id: string; model: RoundModel; etag: string }
type Item = { readonly path: string; model: Record<string, unknown> }

const MOST_ROUNDS = 4
const MOST_ITEMS = 6

/** Random changes of one private tournament, each compared with what the specification says. */
export class PoolsFuzz extends Fuzz {
  #path = ''
  #model: TournamentModel = {}
  #rounds: Round[] = []
  #candidates: Item[] = []
  #remarks: Item[] = []

  /** One more; where something is wrong, another tournament takes the place of this one. */
  async step(): Promise<void> {
    const before = this.report.faults.length
    await this.#any()
    if (this.report.faults.length === before || this.#path === '') return
    const path = this.#path
    this.#path = ''
    this.#rounds = []
    this.#candidates = []
    this.#remarks = []
    await this.service.ask('DELETE', path)
  }

  async #any(): Promise<void> {
    if (this.#path === '') return this.#create()
    if (this.#rounds.length === 0) return this.#addRound()
    const round = this.random.oneOf(this.#rounds)
    const steps: readonly (() => Promise<void>)[] = [
      () => this.#patch(),
      () => (this.#rounds.length < MOST_ROUNDS ? this.#addRound() : this.#removeRound(round)),
      () => this.#replaceRound(round),
      () => this.#changeSlots(round),
      () => this.#changeSlots(round),
      () => this.#refuseChanges(round),
      () => this.#reorder(),
      () => this.#refuse(round),
      () => this.#discuss(round),
      () => this.#discuss(round),
      () => this.#read(round),
      () => this.#read(round),
    ]
    return this.random.oneOf(steps)()
  }

  #judge(exchange: Exchange, wrong: string | null): void {
    this.report.try('rounds', wrong, exchange)
  }

  async #create(): Promise<void> {
    const body = { name: this.tag, announceRounds: false }
    const exchange = await this.service.ask('POST', '/tournaments', { body })
    const wrong = unlike(exchange, 201)
    if (wrong !== null) return this.#judge(exchange, wrong)
    this.#path = `/tournaments/${exchange.answer!.json.tournament.slug}`
    this.#model = { name: this.tag, ruleset: 'base', visibility: 'private', announceRounds: false }
    this.#judge(exchange, this.#tournamentIs(exchange))
  }

  /** What an answer with the tournament differs in from the model. */
  #tournamentIs(exchange: Exchange): string | null {
    const { rounds, slug, role, createdAt, updatedAt, ...rest } =
      exchange.answer?.json?.tournament ?? {}
    if (`/tournaments/${slug}` !== this.#path) return `slug is ${slug}`
    if (role !== 'host') return `role is ${role}`
    if (!(createdAt <= updatedAt))
      return `createdAt and updatedAt are ${createdAt} and ${updatedAt}`
    const wanted = this.#rounds.map(({ id, model }) => ({ id, ...model }))
    return (
      differenceOf(this.#model, rest) ??
      differenceOf(wanted, (rounds ?? []).map(withoutTimes), 'rounds')
    )
  }

  #roundIs(round: Round, exchange: Exchange): string | null {
    const got = exchange.answer?.json?.round
    round.etag = exchange.answer?.headers.get('etag') ?? ''
    return differenceOf({ id: round.id, ...round.model }, withoutTimes(got ?? {}), 'round')
  }

  async #patch(): Promise<void> {
    const { patch, after } = anyPatch(this.random, this.tag, this.#model)
    const exchange = await this.service.ask('PATCH', this.#path, { body: patch })
    const wrong = unlike(exchange, 200)
    if (wrong === null) this.#model = after
    this.#judge(exchange, wrong ?? this.#tournamentIs(exchange))
  }

  async #addRound(): Promise<void> {
    const body = anyRound(this.random)
    const exchange = await this.service.ask('POST', `${this.#path}/rounds`, { body })
    const wrong = unlike(exchange, 201)
    if (wrong !== null) return this.#judge(exchange, wrong)
    const { id } = exchange.answer!.json.round
    const round = { id, model: expectedRound(body), etag: '' }
    this.#rounds.push(round)
    this.#judge(exchange, this.#roundIs(round, exchange))
  }

  #pathOf({ id }: Round): string {
    return `${this.#path}/rounds/${id}`
  }

  async #replaceRound(round: Round): Promise<void> {
    const body = anyRound(this.random)
    const headers = { 'if-match': await this.#tagOf(this.#pathOf(round)) }
    const exchange = await this.service.ask('PUT', this.#pathOf(round), { body, headers })
    const wrong = unlike(exchange, 200)
    if (wrong === null) round.model = expectedRound(body)
    this.#judge(exchange, wrong ?? this.#roundIs(round, exchange))
  }

  async #removeRound(round: Round): Promise<void> {
    const headers = { 'if-match': await this.#tagOf(this.#pathOf(round)) }
    const exchange = await this.service.ask('DELETE', this.#pathOf(round), { headers })
    const wrong = unlike(exchange, 204)
    if (wrong === null) {
      this.#rounds = this.#rounds.filter((other) => other !== round)
      const isLeft = ({ path }: Item) => !path.includes(round.id)
      this.#candidates = this.#candidates.filter(isLeft)
      this.#remarks = this.#remarks.filter(isLeft)
    }
    this.#judge(exchange, wrong)
  }

  async #tagOf(path: string): Promise<string> {
    return (await this.service.get(path)).answer?.headers.get('etag') ?? ''
  }

  async #changeSlots(round: Round): Promise<void> {
    const changes = anyChanges(this.random, round.model)
    const path = `${this.#pathOf(round)}/slots`
    const exchange = await this.service.ask('PATCH', path, { body: { changes } })
    const wrong = unlike(exchange, 200)
    if (wrong !== null) return this.#judge(exchange, wrong)
    const slots = changedSlots(round.model.slots, changes)
    const got: RoundSlot[] = exchange.answer!.json.round.slots
    const other = differenceOf(slots.toSorted(byPlace), got.toSorted(byPlace), 'slots')
    // Where a slot that was added stands is not said.
    round.model = { ...round.model, slots: got }
    this.#judge(exchange, other ?? this.#roundIs(round, exchange))
  }

  /** D-62: none of the changes is made where one slot is no longer as it was seen. */
  async #refuseChanges(round: Round): Promise<void> {
    const body = { changes: staleChanges(this.random, round.model) }
    const refused = await this.service.ask('PATCH', `${this.#pathOf(round)}/slots`, { body })
    const after = await this.service.get(this.#pathOf(round))
    const named = Array.isArray(refused.answer?.json?.error?.slots ?? refused.answer?.json?.slots)
    const wrong =
      unlike(refused, 409, 'conflict') ??
      (named ? this.#roundIs(round, after) : 'the answer has no slots')
    this.report.try('refusals', wrong, refused)
  }

  async #reorder(): Promise<void> {
    const at = this.random.below(this.#rounds.length)
    const rounds = [...this.#rounds.slice(at), ...this.#rounds.slice(0, at)]
    const headers = { 'if-match': await this.#tagOf(this.#path) }
    const body = { rounds: rounds.map(({ id, model }) => ({ id, ...model })) }
    // Larger sheets go round by round (spec 8).
    if (Buffer.byteLength(JSON.stringify(body)) > 16_384) return
    const exchange = await this.service.ask('PUT', `${this.#path}/rounds`, { body, headers })
    const wrong = unlike(exchange, 200)
    if (wrong === null) this.#rounds = rounds
    this.#judge(exchange, wrong ?? this.#tournamentIs(exchange))
  }

  async #refuse(round: Round): Promise<void> {
    const { slots, ...rest } = anyRound(this.random)
    const body = this.random.oneOf<object>([
      { slots },
      { ...rest, name: ' ' },
      { ...rest, bestOf: 2 },
      { ...rest, bans: 6 },
      { ...rest, mapPackUrl: 'http://files.example' },
      { ...rest, slots: [{ mod: 'NM', index: 1, beatmapId: 1, placeholder: 'and' }] },
      { ...rest, slots: times(2, () => ({ mod: 'NM', index: 1 })) },
      { ...rest, slots: times(65, (at) => ({ mod: 'NM', index: 1 + at })) },
      { ...rest, targets: { stars: { min: 6, max: 5 } } },
    ])
    const headers = { 'if-match': await this.#tagOf(this.#pathOf(round)) }
    const refused = await this.service.ask('PUT', this.#pathOf(round), { body, headers })
    const after = await this.service.get(this.#pathOf(round))
    const wrong = unlike(refused, 400, 'bad_request') ?? this.#roundIs(round, after)
    this.report.try('refusals', wrong, refused)
  }

  async #discuss(round: Round): Promise<void> {
    const items = this.random.oneOf(['candidates', 'remarks'] as const)
    const list = items === 'candidates' ? this.#candidates : this.#remarks
    const path = `${this.#pathOf(round)}/${items}`
    const place = round.model.slots[0]
    if (list.length < MOST_ITEMS && (items === 'remarks' || place !== undefined)) {
      const said = anyText(this.random, 100)
      const slot = place === undefined ? {} : { mod: place.mod, index: place.index }
      const beatmapId = 1 + this.random.below(2_147_483_647)
      const body =
        items === 'remarks' ? { ...slot, text: said } : { ...slot, beatmapId, note: said }
      return this.#item(list, await this.service.ask('POST', path, { body }), body, 201, null)
    }
    if (list.length === 0) return
    const item = this.random.oneOf(list)
    const vote = this.random.oneOf([-1, 0, 1])
    const settled = this.random.below(2) === 0
    const asking = { body: items === 'remarks' ? { settled } : { vote } }
    const exchange =
      items === 'remarks'
        ? await this.service.ask('PATCH', item.path, asking)
        : await this.service.ask('PUT', `${item.path}/vote`, asking)
    const news = items === 'remarks' ? { settled } : { score: vote }
    this.#item(list, exchange, { ...item.model, ...news }, 200, item)
  }

  #item(list: Item[], exchange: Exchange, model: object, status: number, item: Item | null): void {
    const { json } = exchange.answer ?? {}
    const got = json?.candidate ?? json?.remark ?? {}
    const wanted = { ...model, id: got.id }
    const seen = Object.fromEntries(Object.keys(wanted).map((name) => [name, got[name]]))
    const wrong = unlike(exchange, status) ?? differenceOf(wanted, seen)
    this.#judge(exchange, wrong)
    if (wrong !== null) return
    if (item === null) list.push({ path: `${exchange.request.path}/${got.id}`, model: wanted })
    else item.model = wanted
  }

  async #read(round: Round): Promise<void> {
    const item = this.random.oneOf([null, null, ...this.#candidates, ...this.#remarks])
    if (item !== null) {
      return this.#item([], await this.service.get(item.path), item.model, 200, item)
    }
    const isWhole = this.random.below(2) === 0
    const exchange = await this.service.get(isWhole ? this.#path : this.#pathOf(round))
    const is = () => (isWhole ? this.#tournamentIs(exchange) : this.#roundIs(round, exchange))
    this.#judge(exchange, unlike(exchange, 200) ?? is())
  }
}

const withoutTimes = ({
  createdAt: _created,
  updatedAt: _updated,
  ...rest
}: Record<string, unknown>) => rest

const byPlace = (one: RoundSlot, other: RoundSlot): number =>
  `${one.mod} ${one.index}` < `${other.mod} ${other.index}` ? -1 : 1
