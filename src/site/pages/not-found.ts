import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../contract/errors.ts'
import { sendJsonError } from '../../door/answer.ts'
import type { SiteContext } from '../site-context.ts'
import { nothingHere } from './notice.ts'
import { sendNotice } from './send-page.ts'

/** Does a person ask, by a browser, and not a program? */
export const wantsPage = ({ headers, url }: FastifyRequest): boolean =>
  /\btext\/html\b/i.test(headers.accept ?? '') && !/^\/session(?:[/?#]|$)/.test(url)

/** What programs are told of a path that nothing is at. */
export const nothingAtPath = (): Failure =>
  new Failure('not_found', 'there is nothing at this path')

/** Answers for what is not there: people get a page, programs what the API would say. */
export const sendNotFound = async (
  context: SiteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  void reply.header('vary', 'Accept')
  return wantsPage(request)
    ? sendNotice(context, request, reply, 404, nothingHere(context.service))
    : sendJsonError(nothingAtPath(), request, reply)
}
