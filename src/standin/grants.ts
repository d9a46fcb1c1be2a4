import { randomBytes } from 'node:crypto'

/** What an application can ask for. */
export const scopes = ['identify', 'public'] as const

export type Scope = (typeof scopes)[number]

/** How long an access token lives, in seconds. */
export const TOKEN_SECONDS = 86_400

const CODE_MS = 600_000

type CodeGrant = {
  readonly playerId: number
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  readonly until: number
}

/** What a live access token stands for; no player when the application asked for itself. */
export type TokenGrant = {
  readonly playerId: number | null
  readonly scopes: readonly Scope[]
  readonly until: number
}

/** The codes and tokens that are out. */
export type Grants = ReturnType<typeof createGrants>

export function createGrants(clock: () => number) {
  const codes = new Map<string, CodeGrant>()
  const tokens = new Map<string, TokenGrant>()
  const secret = (): string => randomBytes(32).toString('base64url')

  return {
    issueCode: (grant: Omit<CodeGrant, 'until'>): string => {
      dropPast(codes, clock())
      const code = secret()
      codes.set(code, { ...grant, until: clock() + CODE_MS })
      return code
    },
    /** A code works once, for the redirect address it was given to; undefined when it does not. */
    useCode: (code: string, redirectUri: string): CodeGrant | undefined => {
      dropPast(codes, clock())
      const grant = codes.get(code)
      codes.delete(code)
      return grant?.redirectUri === redirectUri ? grant : undefined
    },
    issueToken: (playerId: number | null, granted: readonly Scope[]): string => {
      dropPast(tokens, clock())
      const token = secret()
      tokens.set(token, { playerId, scopes: granted, until: clock() + TOKEN_SECONDS * 1000 })
      return token
    },
    /** undefined: there is no such token, or it is past its time. */
    findToken: (token: string): TokenGrant | undefined => {
      dropPast(tokens, clock())
      return tokens.get(token)
    },
    /** All tokens stop working at once; returns how many there were. */
    revokeTokens: (): number => {
      const { size } = tokens
      tokens.clear()
      return size
    },
    newRefreshToken: secret,
  }
}

function dropPast(grants: Map<string, { readonly until: number }>, now: number): void {
  for (const [key, { until }] of grants) if (until <= now) grants.delete(key)
}

/** The scopes of a list with spaces; undefined when it is empty or holds an unknown one. */
export function readScopes(text: string | undefined): readonly Scope[] | undefined {
  const names = (text ?? '').split(' ').filter((name) => name !== '')
  const known = scopes.filter((scope) => names.includes(scope))
  return names.length > 0 && known.length === new Set(names).size ? known : undefined
}
