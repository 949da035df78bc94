/** Certificates for signing: reads them, and finds the mistakes because of which every verifier would reject a signature. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { systemClock } from '../domain/clock.ts'
import type { Algorithm } from './cose.ts'

/** A leaf, its issuer, and so on. The root may be missing. */
export interface SigningChain {
  certificates: X509Certificate[]
  algorithm: Algorithm
  /** When the first certificate of the chain expires, in milliseconds since the Unix epoch. */
  expiresAt: number
}

/** Purposes (extended key usage) of certificates that may sign Content Credentials. */
export const signingPurposes = {
  'c2pa-kp-claimSigning': '1.3.6.1.4.1.62558.2.1',
  'id-kp-emailProtection': '1.3.6.1.5.5.7.3.4',
  'id-kp-documentSigning': '1.3.6.1.5.5.7.3.36',
} as const

/** Reads certificates in PEM, without checks of their contents. Throws an Error that says what is expected. */
export function parseCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw new Error('must be a file with certificates in PEM (-----BEGIN CERTIFICATE-----)')
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block)
    } catch {
      throw new Error(`must be a file with certificates in PEM: certificate ${index + 1} is damaged`)
    }
  })
}

/** Reads the chain of a signer, whatever its dates are. Throws an Error that says what is expected. */
export function parseChain(pem: string): SigningChain {
  const certificates = parseCertificates(pem)
  const [leaf] = certificates
  if (leaf === undefined) throw new Error('must have a certificate')
  certificates.forEach((certificate, index) => {
    const issuer = certificates[index + 1]
    if (issuer && !(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)))
      throw new Error(
        `must have the leaf first, and each issuer after it: "${nameOf(issuer)}" did not issue "${nameOf(certificate)}"`,
      )
  })
  checkLeaf(leaf)
  return {
    certificates,
    algorithm: algorithmOf(leaf),
    expiresAt: Math.min(...certificates.map(({ validToDate }) => validToDate.getTime())),
  }
}

/** The chain, if all of its certificates are valid now. Otherwise throws an Error that names one. */
export function checkDates(chain: SigningChain, now = systemClock.now()): SigningChain {
  for (const certificate of chain.certificates) {
    const { validFromDate, validToDate } = certificate
    const name = nameOf(certificate)
    if (now < validFromDate.getTime())
      throw new Error(`must have valid certificates: "${name}" is not valid before ${validFromDate.toISOString()}`)
    if (now > validToDate.getTime())
      throw new Error(
        `must have valid certificates: "${name}" expired on ${validToDate.toISOString()}. Get a new one from its issuer`,
      )
  }
  return chain
}

/** Reads the private key of a chain. Throws an Error that says what is expected, without a part of the key. */
export function parseKey(pem: string, { certificates: [leaf] }: Pick<SigningChain, 'certificates'>): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new Error('must be a file with an unencrypted private key in PEM')
  }
  if (!leaf?.checkPrivateKey(key))
    throw new Error(`must have the key of the first certificate, "${leaf && nameOf(leaf)}". It has another key`)
  return key
}

/** The common name, or else the entire name. */
export function nameOf({ subject }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
}

/** https://spec.c2pa.org, section "Certificate profiles". */
function checkLeaf(leaf: X509Certificate): void {
  const name = `"${nameOf(leaf)}"`
  if (leaf.ca) throw new Error(`must start with the certificate of the signer: ${name} is of a certificate authority`)
  const purposes: string[] = leaf.keyUsage ?? []
  if (!purposes.some((purpose) => Object.values<string>(signingPurposes).includes(purpose)))
    throw new Error(
      `must start with a certificate for signing Content Credentials: ${name} needs the extended key usage ${Object.entries(
        signingPurposes,
      )
        .map(([title, id]) => `${title} (${id})`)
        .join(' or ')}`,
    )
  if (!maySign(leaf))
    throw new Error(`must start with a certificate whose key usage is digitalSignature: ${name} isn't`)
  if (!leaf.raw.includes(extensions.authorityKeyIdentifier))
    throw new Error(
      `must start with a certificate that names its issuer's key (authorityKeyIdentifier): ${name} doesn't`,
    )
}

/** DER of the object identifiers 2.5.29.15 and 2.5.29.35. */
const extensions = {
  keyUsage: Buffer.from('0603551d0f', 'hex'),
  authorityKeyIdentifier: Buffer.from('0603551d23', 'hex'),
}

/** Whether the key usage has digitalSignature, its first bit. Node doesn't report this extension. */
function maySign({ raw }: X509Certificate): boolean {
  const at = raw.indexOf(extensions.keyUsage)
  if (at < 0) return false
  // After the identifier: an optional BOOLEAN (critical), then an OCTET STRING with a BIT STRING: 04 len 03 len unused bits.
  const start = at + extensions.keyUsage.length
  const octets = raw[start] === 0x01 ? start + 3 : start
  return ((raw[octets + 5] ?? 0) & 0x80) !== 0
}

function algorithmOf({ publicKey }: X509Certificate): Algorithm {
  const { asymmetricKeyType: type, asymmetricKeyDetails } = publicKey
  const curve = asymmetricKeyDetails?.namedCurve
  if (type === 'ed25519') return 'Ed25519'
  if (type === 'ec' && curve === 'prime256v1') return 'ES256'
  if (type === 'ec' && curve === 'secp384r1') return 'ES384'
  throw new Error(
    `must start with a certificate for an ECDSA key on P-256 or P-384, or an Ed25519 key, not ${type}${curve ? ` on ${curve}` : ''}`,
  )
}
