import { type Message, type Say, sayOf } from '../message.ts'

/** What is wrong with the pool that a pack key holds, in English, to be read after a colon; pages have texts of their own. */
export const keyWords = {
  keyOfBuckets: ({ least, most }: { least: string; most: string }) =>
    `it must have ${least} to ${most} buckets`,
  keyWithoutBucket: 'a built-in bucket is missing',
  keyOfBucketKind: 'a bucket is of no known kind',
  keyOfBucketMode: 'a bucket is of no known mode',
  keyOfMod: 'a mod is not known',
  keyOfSlots: ({ most }: { most: string }) => `it has more than ${most} slots`,
  keyOfSlot: 'a slot is in no bucket that it has',
  keyOfName: ({ most }: { most: string }) => `its name must have 1 to ${most} characters`,
  keyOfProblem: ({ place, remedy }: { place: string; remedy: string }) => `its ${place} ${remedy}`,
  keyGoesOn: 'it goes on behind its last slot',
  keyEnds: 'it ends too early',
  keyOfNumber: 'a number is too large',
  keyOfText: 'a text in it is not UTF-8',
}

export type KeyWords = typeof keyWords
export type KeyMessage = Message<KeyWords>
export const keyProblem: Say<KeyWords> = sayOf<KeyWords>()
