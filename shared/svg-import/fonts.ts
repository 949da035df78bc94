/** The included fonts, and the one that is used for a font of the file. */

export interface FontMetrics {
  /** Share of the size, from `hhea`. */
  ascent: number
  descent: number
  xHeight: number
}

const included: Record<string, FontMetrics> = {
  Inter: { ascent: 0.96875, descent: 0.2412, xHeight: 0.5459 },
  Lora: { ascent: 1.006, descent: 0.272, xHeight: 0.5 },
  'Playfair Display': { ascent: 1.082, descent: 0.251, xHeight: 0.514 },
  'JetBrains Mono': { ascent: 1.02, descent: 0.3, xHeight: 0.55 },
  Oswald: { ascent: 1.193, descent: 0.289, xHeight: 0.578 },
  Anton: { ascent: 1.1763, descent: 0.3286, xHeight: 0.7324 },
}

const other: FontMetrics = { ascent: 0.97, descent: 0.24, xHeight: 0.5 }

export function metricsOf(family: string): FontMetrics {
  return included[family] ?? other
}

const weights: Record<string, number> = {
  ...{ thin: 100, hairline: 100, extralight: 200, ultralight: 200, light: 300, regular: 400, normal: 400, book: 400 },
  ...{ medium: 500, semibold: 600, demibold: 600, bold: 700, extrabold: 800, ultrabold: 800, black: 900, heavy: 900 },
}

/** Weight of a name or a number. */
export function weightOf(text = ''): number | undefined {
  if (Object.hasOwn(weights, text)) return weights[text]
  const weight = Number(text)
  return weight >= 1 && weight <= 1000 ? weight : undefined
}

/** `'MyriadPro-Bold', 'Myriad Pro'`, as Illustrator writes it. */
export function fontOf(
  list: string | undefined,
  notes: string[],
): { family: string; weight?: number; isItalic: boolean } {
  const names = (list ?? 'Inter').split(',').map((name) => name.trim().replaceAll(/^['"]|['"]$/g, ''))
  const [first = 'Inter'] = names
  const [, stem = first, suffix = ''] = /^(.+?)-([A-Za-z]+)$/.exec(first) ?? []
  const isItalic = /italic|oblique/i.test(suffix)
  const found = weightOf(suffix.replace(/italic|oblique/i, '').toLowerCase())
  const weight = found === undefined ? {} : { weight: found }
  const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '')
  const known = [...names, stem]
    .map((name) => Object.keys(included).find((known) => plain(known) === plain(name)))
    .find(Boolean)
  if (known !== undefined) return { family: known, ...weight, isItalic }
  const substitute = /mono|courier|consol|code/i.test(list ?? '')
    ? 'JetBrains Mono'
    : /(?<!sans.?)serif|times|georgia|garamond|minion|merriweather/i.test(list ?? '')
      ? 'Lora'
      : 'Inter'
  const name = found === undefined && !isItalic ? first : stem
  notes.push(`the font ${name} is not included: ${substitute} is used. Upload the font, and change font-family`)
  return { family: substitute, ...weight, isItalic }
}
