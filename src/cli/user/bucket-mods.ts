import { forcedMods } from '../../contract/mods.ts'
import type { BucketMods } from '../../contract/pools.ts'
import { forcedModsOf } from '../../formats/import/words/labels.ts'
import { foldCode, isBuiltinCode, isCode, isCustom, wholeTable } from '../../pool/slots.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { type CommandOption, usageError } from '../program.ts'

export const modsOption: CommandOption = {
  name: 'mods',
  takes: 'MODS',
  about: 'mods of custom buckets, such as RC=HD+HR,SV=free',
}

/** @throws CliError (usage) for what no bucket can force. */
export function readMods(value: string | undefined): Map<string, BucketMods | null> {
  const parts = value === undefined ? [] : value.split(',')
  const wanted = new Map<string, BucketMods | null>()
  for (const part of parts) {
    const [, code = '', mods = ''] = /^\s*([^=\s]+)\s*=\s*(\S+)\s*$/.exec(part) ?? []
    const read = modsOf(mods.toUpperCase().replaceAll('+', ''))
    if (!isCode(code) || isBuiltinCode(foldCode(code)) || read === undefined) {
      throw usageError(
        `--mods "${part}" must be the code of a custom bucket and its mods: RC=HD+HR, RC=free or RC=none (mods: ${forcedMods.join(', ')}; at most 3, not EZ with HR nor DT with HT)`,
      )
    }
    if (wanted.has(foldCode(code))) throw usageError(`--mods names ${code} twice`)
    wanted.set(foldCode(code), read)
  }
  return wanted
}

/** null for none; undefined for what is no set of mods. */
function modsOf(text: string): BucketMods | null | undefined {
  if (text === 'NONE') return null
  return text === 'FREE' ? { kind: 'free' } : (forcedModsOf(text) ?? undefined)
}

export function insistOnBuckets(
  mods: ReadonlyMap<string, unknown>,
  pools: readonly { readonly draft: PoolDraft }[],
): void {
  const buckets = pools.flatMap(({ draft }) => wholeTable(draft).filter(isCustom))
  const codes = buckets.map(({ code }) => code)
  const folds = new Set(codes.map(foldCode))
  const wrong = [...mods.keys()].find((code) => !folds.has(foldCode(code)))
  if (wrong === undefined) return
  const there =
    codes.length === 0
      ? 'there are no custom buckets'
      : `there are: ${[...new Set(codes)].join(', ')}`
  throw usageError(`--mods ${wrong}: ${there}`)
}
