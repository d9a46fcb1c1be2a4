/** The headers that every answer carries, whatever it is (D-13). */
export const standingHeaders = (requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-cache',
})
