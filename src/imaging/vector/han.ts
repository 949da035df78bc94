/**
 * One Han character is drawn differently in Japan, Korea, mainland China and Taiwan: which font it is taken from depends
 * on the language, and where nobody says that, on what else is written.
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

/** GB 2312 holds the characters of the simplified script, Big5 those of the traditional one; many are in both. */
const isSimplified = memberOf('gb18030', [0xb0, 0xf7], [[0xa1, 0xfe]])
const isTraditional = memberOf(
  'big5',
  [0xa4, 0xf9],
  [
    [0x40, 0x7e],
    [0xa1, 0xfe],
  ],
)

/** Reads the table of a double-byte character set out of its decoder, when it is first asked for. */
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
