import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { VariableName } from './variables.ts'

/** What HTTPS needs, as PEM text. */
export type Tls = { readonly cert: string; readonly key: string }

type Report = (name: VariableName, problem: string) => void

/** Reads the certificate and its key; null when neither is given or a problem was reported. */
export const readTlsFiles = (
  certFile: string | null,
  keyFile: string | null,
  report: Report,
): Tls | null => {
  if (certFile === null && keyFile === null) return null
  const cert = readPem('TLS_CERT_FILE', certFile, 'TLS_KEY_FILE', report)
  const key = readPem('TLS_KEY_FILE', keyFile, 'TLS_CERT_FILE', report)
  return cert === null || key === null ? null : checkPair({ cert, key }, report)
}

const readPem = (
  name: VariableName,
  file: string | null,
  other: VariableName,
  report: Report,
): string | null => {
  if (file === null) {
    report(name, `is not set though ${other} is; set both or neither`)
    return null
  }
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    report(name, `"${file}" cannot be read${reason}; give a PEM file that this user may read`)
    return null
  }
}

const checkPair = (tls: Tls, report: Report): Tls | null => {
  try {
    createSecureContext(tls)
    return tls
  } catch {
    report('TLS_KEY_FILE', 'and TLS_CERT_FILE do not make a pair; give a certificate and its key')
    return null
  }
}
