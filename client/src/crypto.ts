/** HMAC-SHA-256 by Web Crypto, which all runtimes have. */

const text = new TextEncoder()

export function hmacKey(secret: Uint8Array<ArrayBuffer>) {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

export function bytesOf(content: string): Uint8Array<ArrayBuffer> {
  return text.encode(content)
}

/** Undefined if the text isn't base64. */
export function fromBase64(content: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(content), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Base64url without padding. */
export function toBase64Url(bytes: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
