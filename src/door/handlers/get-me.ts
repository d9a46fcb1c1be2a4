import type { getMe as endpoint } from '../../contract/services.ts'
import { getMe } from '../../operations/get-me.ts'
import type { Handler } from '../handler.ts'
import { jsonBody } from '../json-body.ts'

export const handleGetMe: Handler<typeof endpoint> = async ({ ports }, { accountId }) => ({
  json: jsonBody({ user: await getMe(ports, accountId) }),
})
