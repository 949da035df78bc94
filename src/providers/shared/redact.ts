/** Texts of providers, before anybody sees them: they echo keys, prompts and whole pictures. */

/** Characters of a provider's text that are handed on. */
export const redactedCharsMax = 500

/** A secret shorter than this would take ordinary words out of a text. */
const secretCharsMin = 4

const dataUri = /data:[a-z]+\/[\w.+-]+(;[\w=.+-]+)*,[^\s"'<>\\)]*/gi
/** No word and no hexadecimal hash is as long. */
const longBase64 = /[A-Za-z0-9+/_-]{100,}={0,2}/g
const bearer = /\b(bearer|basic|key|token)\s+[A-Za-z0-9._~+/=:-]{16,}/gi
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/**
 * The text without these secrets (as they are, in a URL, or in base64, alone or as user or password), without pictures
 * in it, on one line, and not longer than the bound.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = withoutSecrets(text.slice(0, 100_000), secrets)
  clean = clean.replace(dataUri, '…').replace(bearer, '$1 …').replace(longBase64, '…').replace(controls, ' ')
  clean = clean.toWellFormed().trim()
  return clean.length > redactedCharsMax ? `${clean.slice(0, redactedCharsMax - 1).toWellFormed()}…` : clean
}

/** The text, but for these secrets: for what is an answer and not a message. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text
  // The longest first: one may be part of another.
  const all = secrets.filter((secret) => secret.length >= secretCharsMin).flatMap(spellings)
  for (const secret of all.sort((a, b) => b.length - a.length)) clean = clean.replaceAll(secret, '…')
  return clean
}

function spellings(secret: string): string[] {
  const base64 = [secret, `${secret}:`, `:${secret}`].flatMap((each) => {
    const bytes = Buffer.from(each)
    return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
  })
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64])]
}
