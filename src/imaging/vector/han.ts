/**
 * The same Han character has different forms in Japan, Korea, mainland China and Taiwan: the font depends on the
 * language, or, if it isn't set, on the other characters of the text.
 */
export const languages = ['auto', 'ja', 'ko', 'zh-Hans', 'zh-Hant'] as const
export type Language = (typeof languages)[number]

export function languageOf(text: string): Exclude<Language, 'auto'> {
  if (/[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)) return 'ja'
  if (/\p{sc=Hangul}/u.test(text)) return 'ko'
  if (/\p{sc=Bopomofo}/u.test(text)) return 'zh-Hant'
  const han = text.match(/\p{sc=Han}/gu) ?? []
  const unsimplified = han.some((char) => !isSimplified(char))
  return unsimplified && han.every(isTraditional) ? 'zh-Hant' : 'zh-Hans'
}

/** GB 2312 has the characters of simplified Chinese, Big5 those of traditional Chinese; many are in both. */
const isSimplified = memberOf('gb18030', [0xb0, 0xf7], [[0xa1, 0xfe]])
const isTraditional = memberOf(
  'big5',
  [0xa4, 0xf9],
  [
    [0x40, 0x7e],
    [0xa1, 0xfe],
  ],
)

/** Reads the table of a double-byte character set from its decoder, on first use. */
function memberOf(encoding: string, [firstLead, lastLead]: [number, number], trails: [number, number][]) {
  let known: Set<string> | undefined
  return (char: string): boolean => {
    known ??= new Set(new TextDecoder(encoding).decode(allPairs(firstLead, lastLead, trails)))
    return known.has(char)
  }
}

function allPairs(firstLead: number, lastLead: number, trails: [number, number][]): Uint8Array {
  const bytes: number[] = []
  for (let lead = firstLead; lead <= lastLead; lead += 1) {
    for (const [from, to] of trails) for (let trail = from; trail <= to; trail += 1) bytes.push(lead, trail)
  }
  return Uint8Array.from(bytes)
}
