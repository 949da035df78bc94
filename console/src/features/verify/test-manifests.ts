/** Manifests for tests. */
import type { CredentialAction, CredentialManifest } from '../../api/credentials.ts'

type Ingredient = CredentialManifest['ingredients'][number]

export function manifest(changes: Partial<CredentialManifest> = {}): CredentialManifest {
  return { state: 'valid', problems: [], signer: null, actions: [], ingredients: [], assertions: {}, ...changes }
}

export function part(
  title: string,
  credentials: CredentialManifest | null = null,
  relationship = 'componentOf',
): Ingredient {
  return { title, relationship, credentials }
}

export function action(name: string, changes: Partial<CredentialAction> = {}): CredentialAction {
  return { action: `c2pa.${name}`, ...changes }
}

export function sourceType(name: string): Partial<CredentialAction> {
  return { digitalSourceType: `http://cv.iptc.org/newscodes/digitalsourcetype/${name}` }
}
