/** Redacts texts of providers, because they echo keys, prompts and entire images. */

/** Maximum length of a provider's text in messages. */
export const redactedCharsMax = 500

/** Removing a shorter secret would remove ordinary words, too. */
const secretCharsMin = 4

const dataUri = /data:[a-z]+\/[\w.+-]+(;[\w=.+-]+)*,[^\s"'<>\\)]*/gi
/** Longer than any word or hexadecimal hash. */
const longBase64 = /[A-Za-z0-9+/_-]{100,}={0,2}/g
const bearer = /\b(bearer|basic|key|token)\s+[A-Za-z0-9._~+/=:-]{16,}/gi
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed.
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/**
 * The text on one line, up to the maximum length, without images and without these secrets: plain, URL-encoded, or in base64,
 * alone or as user or password.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = withoutSecrets(text.slice(0, 100_000), secrets)
  clean = clean.replace(dataUri, '…').replace(bearer, '$1 …').replace(longBase64, '…').replace(controls, ' ')
  clean = clean.toWellFormed().trim()
  return clean.length > redactedCharsMax ? `${clean.slice(0, redactedCharsMax - 1).toWellFormed()}…` : clean
}

/** The text without these secrets: for results, which keep their length and lines. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text
  // The longest first, because one may be part of another.
  const all = secrets.filter((secret) => secret.length >= secretCharsMin).flatMap(spellings)
  for (const secret of all.sort((a, b) => b.length - a.length)) clean = clean.replaceAll(secret, '…')
  return clean
}

function spellings(secret: string): string[] {
  const base64 = [secret, `${secret}:`, `:${secret}`].flatMap((plain) => {
    const bytes = Buffer.from(plain)
    return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
  })
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64])]
}
