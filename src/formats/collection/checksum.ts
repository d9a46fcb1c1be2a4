const MD5 = /^[0-9A-Fa-f]{32}$/

/** Whether the text is the MD5 of a beatmap's file as all formats spell it. */
export function isChecksum(text: string): boolean {
  return MD5.test(text)
}
