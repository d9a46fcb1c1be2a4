import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A DER value: tag, length, content. */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.from([0]), bytes)
const time = (text: string): Buffer => der(0x18, Buffer.from(text))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('localhost')))))
const localhost = [der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1]))]
const alternativeNames = sequence(oid('551d11'), der(0x04, sequence(...localhost)))

const pem = (bytes: Buffer): string => {
  const lines = bytes.toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

/** Writes a self-signed certificate for this machine, and its key, into the folder. */
export const makeCertificate = async (
  folder: string,
  label: string,
): Promise<{ cert: string; certFile: string; keyFile: string }> => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeNames)),
  )
  const signature = sign('sha256', toBeSigned, privateKey)
  const cert = pem(sequence(toBeSigned, ecdsaWithSha256, bits(signature)))
  const certFile = join(folder, `${label}-cert.pem`)
  const keyFile = join(folder, `${label}-key.pem`)
  await writeFile(certFile, cert)
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { cert, certFile, keyFile }
}
