import type { Pool } from './pool'

export const pool: Pool = {
  NM1: 725198,
  NM2: 4384635,
}

export function find(label: keyof Pool) {
  return pool[label]
}
