/** The certificates of an installation without its own: a root and a leaf (RFC 5280). The key of the root is not kept. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  Boolean as Asn1Boolean,
  Set as Asn1Set,
  BitString,
  Constructed,
  fromBER,
  GeneralizedTime,
  Integer,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
  UTCTime,
  Utf8String,
} from 'asn1js'
import { signingPurposes } from './chain.ts'

export interface DevelopmentChain {
  /** Leaf and root, PEM. */
  certificates: string
  /** Private key of the leaf, PEM (PKCS #8). */
  key: string
}

export const developmentYears = 10
const organization = 'Self-signed Tintype installation'
const dayMs = 86_400_000

/** ES256, valid for ten years from yesterday, because clocks differ. */
export function makeDevelopmentChain(now: number): DevelopmentChain {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = { root: 'Tintype development root', leaf: 'Tintype development certificate' }
  const notBefore = new Date(now - dayMs)
  const notAfter = new Date(now)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + developmentYears)
  const common = { notBefore, notAfter, issuer: names.root, issuerKey: root }
  const usage = { certificates: 0b0000_0110, signatures: 0b1000_0000 }
  const certificates = [
    certificate({
      ...common,
      subject: names.leaf,
      publicKey: leaf.publicKey,
      extensions: [
        extension(ids.basicConstraints, true, new Sequence()),
        extension(ids.keyUsage, true, bits(usage.signatures)),
        extension(
          ids.extendedKeyUsage,
          false,
          new Sequence({ value: [oid(signingPurposes['id-kp-emailProtection'])] }),
        ),
      ],
    }),
    certificate({
      ...common,
      subject: names.root,
      publicKey: root.publicKey,
      extensions: [
        extension(ids.basicConstraints, true, new Sequence({ value: [new Asn1Boolean({ value: true })] })),
        extension(ids.keyUsage, true, bits(usage.certificates)),
      ],
    }),
  ]
  return {
    certificates: certificates.map(pem).join(''),
    key: String(leaf.privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}

const ids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const

interface CertificateParts {
  subject: string
  issuer: string
  notBefore: Date
  notAfter: Date
  publicKey: KeyObject
  issuerKey: { publicKey: KeyObject; privateKey: KeyObject }
  extensions: Sequence[]
}

/** DER. */
function certificate({
  subject,
  issuer,
  notBefore,
  notAfter,
  publicKey,
  issuerKey,
  extensions,
}: CertificateParts): Buffer {
  const keyId = keyIdentifier(publicKey)
  const version3 = new Integer({ value: 2 })
  const signatureAlgorithm = new Sequence({ value: [oid(ids.ecdsaWithSha256)] })
  const authority = new Sequence({ value: [tagged(0, keyIdentifier(issuerKey.publicKey))] })
  const content = new Sequence({
    value: [
      explicit(0, version3),
      // The key is random, so a hash of it is unique. Positive: the first bit is 0.
      new Integer({ valueHex: arrayBuffer(Buffer.from([0x01, ...keyId.subarray(0, 15)])) }),
      signatureAlgorithm,
      name(issuer),
      new Sequence({ value: [time(notBefore), time(notAfter)] }),
      name(subject),
      fromBER(arrayBuffer(publicKey.export({ type: 'spki', format: 'der' }))).result,
      explicit(
        3,
        new Sequence({
          value: [
            ...extensions,
            extension(ids.subjectKeyIdentifier, false, new OctetString({ valueHex: arrayBuffer(keyId) })),
            extension(ids.authorityKeyIdentifier, false, authority),
          ],
        }),
      ),
    ],
  })
  const signature = sign('sha256', Buffer.from(content.toBER()), issuerKey.privateKey)
  const signed = new Sequence({
    value: [content, signatureAlgorithm, new BitString({ valueHex: arrayBuffer(signature) })],
  })
  return Buffer.from(signed.toBER())
}

/** SHA-1 of the key, as RFC 5280 (4.2.1.2) suggests. It is not used for security. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
}

function name(commonName: string): Sequence {
  const attribute = (id: string, value: string) =>
    new Asn1Set({ value: [new Sequence({ value: [oid(id), new Utf8String({ value })] })] })
  return new Sequence({ value: [attribute(ids.organization, organization), attribute(ids.commonName, commonName)] })
}

function extension(id: string, isCritical: boolean, value: { toBER(): ArrayBuffer }): Sequence {
  const critical = isCritical ? [new Asn1Boolean({ value: true })] : []
  return new Sequence({ value: [oid(id), ...critical, new OctetString({ valueHex: value.toBER() })] })
}

/** The named bits of a key usage, without zeros at the end, as DER requires. */
function bits(value: number): BitString {
  const unusedBits = Math.clz32(value & -value) ^ 31
  return new BitString({ valueHex: arrayBuffer(Buffer.from([value])), unusedBits })
}

function time(date: Date): UTCTime | GeneralizedTime {
  return date.getUTCFullYear() < 2050 ? new UTCTime({ valueDate: date }) : new GeneralizedTime({ valueDate: date })
}

function oid(value: string): ObjectIdentifier {
  return new ObjectIdentifier({ value })
}

const contextSpecific = 3

function explicit(tagNumber: number, value: Integer | Sequence): Constructed {
  return new Constructed({ idBlock: { tagClass: contextSpecific, tagNumber }, value: [value] })
}

function tagged(tagNumber: number, value: Buffer): Primitive {
  return new Primitive({ idBlock: { tagClass: contextSpecific, tagNumber }, valueHex: arrayBuffer(value) })
}

function arrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
