import type { WorkMeter } from '../../src/ports/system.ts'

/** Charges nobody: what a request takes on the machine of a test is no part of what is tested. */
export const freeWork: WorkMeter = {
  run: (_bill, start) => start(),
  measure: (work) => work(),
  add: () => {},
  spentMs: () => 0,
  breathe: () => undefined,
  chargeAddress: () => {},
  addressWaitMs: () => 0,
  admitUnpaced: () => 0,
}
