/** Somebody who can sign in on the authorize page. */
export type Player = {
  readonly id: number
  readonly username: string
  /** What the page says of the player. */
  readonly about: string
  readonly countryCode: string
  readonly playmode: 'osu' | 'taiko' | 'fruits' | 'mania'
  readonly isRestricted: boolean
  readonly isBot: boolean
  readonly isDeleted: boolean
}

/** What most players are. */
export const ordinary = {
  countryCode: 'NL',
  playmode: 'osu',
  isRestricted: false,
  isBot: false,
  isDeleted: false,
} as const

/** The platform knows nothing of our moderators: who is one is said in our configuration, by this id. */
export const MODERATOR_ID = 7003

/** Made-up players, one for each case of signing in (D-42). */
export const samplePlayers: readonly Player[] = [
  { ...ordinary, id: 7001, username: 'Peridot', about: 'An ordinary host' },
  {
    ...ordinary,
    id: 7002,
    username: '[ second wind ]',
    about: 'A second player',
    countryCode: 'JP',
    playmode: 'mania',
  },
  { ...ordinary, id: MODERATOR_ID, username: 'maple_keeper', about: 'A moderator' },
  {
    ...ordinary,
    id: 7004,
    username: 'Sidelined',
    about: 'A restricted player, who cannot sign in',
    isRestricted: true,
  },
  {
    ...ordinary,
    id: 7005,
    username: 'DeletedUser_7005',
    about: 'A deleted player, who cannot sign in',
    isDeleted: true,
  },
]
