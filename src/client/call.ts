/** What came with an answer, in addition to what the call gives. */
export type ResponseInfo = {
  /** Names the request in the service's logs; null when the answer had no such header. */
  readonly requestId: string | null
  /**
   * Fields of the input that the service does not know and did not save, ten at most: `visiblity`,
   * `slots[0].modd`. Empty when there were none (D-49).
   */
  readonly ignoredFields: readonly string[]
  /** The tag of what the call gives, for `ifMatch`; null where there is none, a deletion for example. */
  readonly etag: string | null
}

/** What a call gives, and what came with it. */
export type WithResponse<T> = ResponseInfo & { readonly data: T }

/** A call on its way: a promise of what it gives. */
export interface Call<T> extends Promise<T> {
  /** The same call with what came with its answer; sends nothing anew. */
  withResponse(): Promise<WithResponse<T>>
}

/** Makes a call of its answer. */
export const callOf = <T>(answer: Promise<WithResponse<T>>): Call<T> => {
  const call = answer.then(({ data }) => data)
  const withResponse = (): Promise<WithResponse<T>> => {
    // Whoever takes the answer with its response hears of a failure there.
    call.catch(() => {})
    return answer
  }
  return Object.assign(call, { withResponse })
}

/** The same answer, with another part of it as what the call gives. */
export const mapData = <A, B>(
  { data, ...info }: WithResponse<A>,
  map: (data: A) => B,
): WithResponse<B> => ({ ...info, data: map(data) })

/** What the headers of an answer say. */
export const responseInfo = (headers: Headers): ResponseInfo => ({
  requestId: headers.get('x-request-id'),
  ignoredFields: readIgnoredFields(headers.get('x-ignored-fields')),
  etag: headers.get('etag'),
})

/** Names are percent-encoded where they hold what a header cannot, commas included (D-49). */
function readIgnoredFields(header: string | null): readonly string[] {
  if (header === null || header.trim() === '') return []
  return header.split(',').map((name) => {
    try {
      return decodeURIComponent(name.trim())
    } catch {
      return name.trim()
    }
  })
}
