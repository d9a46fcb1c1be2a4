import type { siteApi } from '../../contract/session-api.ts'
import { orderPins } from '../../operations/order-pins.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleOrderPins: SiteHandler<typeof siteApi.orderPins> = async (
  { ports },
  { viewer, body },
) => {
  await orderPins(ports, viewer, body.slugs)
  return {}
}
