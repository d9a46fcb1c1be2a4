export type FileUse = 'read' | 'written' | 'deleted'

const fileWords = wordsByCode({
  ENOENT: 'there is no such file; check the name',
  'EACCES EPERM': 'you do not have permission; check who owns it and its permissions',
  EISDIR: 'it is a folder; give the name of a file',
  ENOTDIR: 'part of the path is a file, not a folder; check the name',
  ENOTEMPTY: 'the folder is not empty',
  EEXIST: 'it exists already',
  ENOSPC: 'the disk is full; free some space and try again',
  EDQUOT: 'your disk quota is used up; free some space and try again',
  EFBIG: 'the file would be larger than the system allows',
  EROFS: 'the disk is read-only; choose another place',
  EIO: 'the disk reports an error; check it',
  'EBUSY ETXTBSY': 'another program is using it; close that program and try again',
  'EMFILE ENFILE': 'too many files are open; close some programs and try again',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
  ESTALE: 'the network folder is gone; connect to it again',
  'ENXIO ENODEV': 'there is no such device',
})

const networkWords = wordsByCode({
  ECONNREFUSED: 'nothing accepts connections there; check the address, and that the service runs',
  ENOTFOUND: 'there is no server of that name; check the address and your internet connection',
  EAI_AGAIN: 'its name could not be looked up; check your internet connection',
  'ECONNRESET EPIPE UND_ERR_SOCKET': 'the connection was cut off; try again',
  'ETIMEDOUT UND_ERR_CONNECT_TIMEOUT': 'it did not answer; try again later',
  'EHOSTUNREACH ENETUNREACH': 'there is no route to it; check your internet connection',
  ENETDOWN: 'the network is down; check your internet connection',
  EADDRINUSE: 'another program listens on that address; end it, or choose another port',
  EADDRNOTAVAIL: 'this machine does not have that address; check it',
  CERT_HAS_EXPIRED: 'its certificate has expired; tell its operator',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; set NODE_EXTRA_CA_CERTS to it',
  'SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    'its certificate is not trusted here; set NODE_EXTRA_CA_CERTS to its CA',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name; check the address',
  'EPROTO ERR_SSL_WRONG_VERSION_NUMBER':
    'it does not speak HTTPS; check whether the address begins with http://',
})

function wordsByCode(words: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const pairs = Object.entries(words)
  return new Map(pairs.flatMap(([codes, text]) => codes.split(' ').map((code) => [code, text])))
}

/** The code of a system error, or of what caused it; null if it has none. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return systemCode(error.cause)
}

/** Why a file could not be used, and what to do: `bracket.json cannot be read: there is no such file; …`. */
export function fileErrorText(error: unknown, use: FileUse, file: string): string {
  const code = systemCode(error) ?? ''
  const isFolderMissing = code === 'ENOENT' && use === 'written'
  const words = isFolderMissing
    ? 'its folder does not exist; create the folder first'
    : (fileWords.get(code) ?? `the system refused it (${code})`)
  return `${file} cannot be ${use}: ${words}`
}

/** What a network error means and what to do; null for anything else. */
export function networkErrorText(code: string | null): string | null {
  return networkWords.get(code ?? '') ?? null
}

const READS = new Set(['read', 'scandir', 'stat', 'lstat', 'realpath', 'readlink', 'access'])

/** The message for an error that the system reported; null for all others. */
export function systemErrorText(error: unknown): string | null {
  const code = systemCode(error)
  if (code === null || !(error instanceof Error)) return null
  const { path, syscall, dest } = error as NodeJS.ErrnoException & { readonly dest?: string }
  if (path !== undefined && fileWords.has(code)) {
    const isRead = READS.has(syscall ?? '') || (syscall === 'open' && code === 'ENOENT')
    return fileErrorText(error, isRead ? 'read' : 'written', dest ?? path)
  }
  const words = networkErrorText(code) ?? fileWords.get(code)
  return words === undefined ? null : `${syscall ?? 'the system'} failed: ${words}`
}

/**
 * Ends the process once its output cannot be written.
 *
 * @param whenUnread the reader has closed the pipe, as head does; left out, the process ends without a word.
 */
export function endWithOutput(
  { stdout, stderr, exit }: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'exit'>,
  name: string,
  whenUnread: () => void = () => exit(0),
): void {
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error) => {
      // A command that sends a file there reports it itself.
      if (stream.listenerCount('error') > 1) return
      if (systemCode(error) === 'EPIPE') return whenUnread()
      if (stream === stdout) stderr.write(`${name}: ${fileErrorText(error, 'written', 'stdout')}\n`)
      exit(1)
    })
  }
}
