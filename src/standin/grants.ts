import { randomBytes } from 'node:crypto'

const scopes = ['identify', 'public'] as const
export type Scope = (typeof scopes)[number]

export const TOKEN_SECONDS = 86_400
const CODE_MS = 600_000

/** No player when the application asked for itself. */
type TokenGrant = { readonly playerId: number | null; readonly scopes: readonly Scope[] }
type CodeGrant = TokenGrant & { readonly redirectUri: string }

/** The codes and tokens that were issued. */
export function createGrants(clock: () => number) {
  const codes = new Map<string, CodeGrant & { readonly until: number }>()
  const tokens = new Map<string, TokenGrant & { readonly until: number }>()

  return {
    issueCode: (grant: CodeGrant): string => issue(codes, { ...grant, until: clock() + CODE_MS }),
    /** A code works once, for the redirect address it was issued for; undefined when it does not. */
    useCode: (code: string, redirectUri: string): CodeGrant | undefined => {
      dropExpired(codes)
      const grant = codes.get(code)
      codes.delete(code)
      return grant?.redirectUri === redirectUri ? grant : undefined
    },
    issueToken: (grant: TokenGrant): string =>
      issue(tokens, { ...grant, until: clock() + TOKEN_SECONDS * 1000 }),
    /** undefined: there is no such token, or it has expired. */
    findToken: (token: string): TokenGrant | undefined => {
      dropExpired(tokens)
      return tokens.get(token)
    },
    /** All tokens stop working at once; returns how many there were. */
    revokeTokens: (): number => {
      const { size } = tokens
      tokens.clear()
      return size
    },
  }

  function issue<G extends { readonly until: number }>(grants: Map<string, G>, grant: G): string {
    dropExpired(grants)
    const secret = makeSecret()
    grants.set(secret, grant)
    return secret
  }

  function dropExpired(grants: Map<string, { readonly until: number }>): void {
    for (const [secret, { until }] of grants) if (until <= clock()) grants.delete(secret)
  }
}

export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The scopes of a list with spaces; undefined when it is empty or holds an unknown one. */
export function readScopes(text = ''): readonly Scope[] | undefined {
  const names = text.split(' ').filter((name) => name !== '')
  const known = scopes.filter((scope) => names.includes(scope))
  return names.length > 0 && known.length === new Set(names).size ? known : undefined
}
