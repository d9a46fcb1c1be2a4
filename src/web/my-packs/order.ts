import * as texts from '#texts/my-packs'
import type { Visibility } from '../../contract/packs.ts'

/** What is done to each of some packs. */
export type Order =
  | { readonly kind: 'delete' }
  | { readonly kind: 'visibility'; readonly to: Visibility }

type OrderWords = {
  /** What is being done. */
  readonly doing: string
  /** How far it is: `3 of 5 packs deleted`. */
  readonly soFar: typeof texts.deletedSoFar
  /** Once it is done to all of them. */
  readonly all: typeof texts.allDeleted
  /** Once it is over, and was not done to all of them. */
  readonly some: typeof texts.someDeleted
  /** Of a pack that it could not be done to. */
  readonly refused: typeof texts.notDeleted
}

const deletionWords: OrderWords = {
  doing: texts.deleting,
  soFar: texts.deletedSoFar,
  all: texts.allDeleted,
  some: texts.someDeleted,
  refused: texts.notDeleted,
}

const visibilityWords: Readonly<Record<Visibility, OrderWords>> = {
  public: {
    doing: texts.makingPublic,
    soFar: texts.publicSoFar,
    all: texts.allPublic,
    some: texts.somePublic,
    refused: texts.notMadePublic,
  },
  unlisted: {
    doing: texts.makingUnlisted,
    soFar: texts.unlistedSoFar,
    all: texts.allUnlisted,
    some: texts.someUnlisted,
    refused: texts.notMadeUnlisted,
  },
  private: {
    doing: texts.makingPrivate,
    soFar: texts.privateSoFar,
    all: texts.allPrivate,
    some: texts.somePrivate,
    refused: texts.notMadePrivate,
  },
}

/** How an order is spoken of. */
export const orderWords = (order: Order): OrderWords =>
  order.kind === 'delete' ? deletionWords : visibilityWords[order.to]
