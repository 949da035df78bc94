/** Content Credentials for tests: signers, manifests and images of each format. */
import sharp from 'sharp'
import type { CredentialFormat, Manifest } from '../domain/credentials/credentials.ts'
import { digitalSourceType } from '../domain/images/origin.ts'
import { parseChain, parseKey } from './chain.ts'
import { type CredentialsSetup, createCredentials } from './credentials.ts'
import { type DevelopmentChain, makeDevelopmentChain } from './development-chain.ts'
import { createKeySigner, type Signer } from './signer.ts'

export const now = Date.UTC(2026, 10, 23)
export const generator = { name: 'Tintype', version: '1.2.3' }
export const never = new AbortController().signal

export function signerWith({ certificates, key }: DevelopmentChain): Signer {
  const chain = parseChain(certificates)
  return createKeySigner(chain, parseKey(key, chain))
}

/** Opens Content Credentials with a new development chain. A busy machine takes longer than the limits. */
export function openTestCredentials(options: Partial<CredentialsSetup> = {}) {
  const signer = signerWith(makeDevelopmentChain(now))
  const library = { signSeconds: 600, readSeconds: 600 }
  return createCredentials({ signer, trustedRoots: '', generator, expiresAt: Date.UTC(2036, 0), library, ...options })
}

/** Noise, so that a changed byte is a changed pixel. */
export function imageOf(format: CredentialFormat, width = 64, height = 48): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return sharp({ create: { width, height, channels: 3, background: 'black', noise } })
    .toFormat(format)
    .toBuffer()
}

/** A manifest of an image that a model generated. */
export const generated: Manifest = {
  title: 'Card',
  actions: [
    {
      action: 'c2pa.created',
      digitalSourceType: digitalSourceType('trainedAlgorithmicMedia'),
      softwareAgent: { name: 'acme/anvil-1' },
    },
  ],
  ingredients: [],
  execution: { workflow: 'wf_1', seeds: [1, 300], when: null },
}
