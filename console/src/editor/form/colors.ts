/** Colours in a document, and conversion of CSS colours to hex. */

const colorPattern = /^(#[0-9a-f]{3,8}|(rgb|hsl)a?\([^)]*\))$/i
const swatchesMax = 16

const basic: readonly string[] = ['#ffffff', '#000000']

/** The colours that can be chosen with a click: white and black, then those of the document. */
export function swatchesOf(document: unknown): string[] {
  return [...new Set([...basic, ...colorsOf(document)])]
}

/** The colours that are used, most used first. Names such as `white` are left out, because they can be other words. */
function colorsOf(value: unknown): string[] {
  const counts = new Map<string, number>()
  count(value, counts)
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([color]) => color)
    .slice(0, swatchesMax)
}

function count(value: unknown, counts: Map<string, number>): void {
  if (typeof value === 'string') {
    if (colorPattern.test(value)) counts.set(value.toLowerCase(), (counts.get(value.toLowerCase()) ?? 0) + 1)
  } else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) count(part, counts)
}

/** Converts any CSS colour to `#rrggbbaa`; undefined if it is not a colour. The browser knows the names. */
export function toHex(color: string): string | undefined {
  if (color === '' || !CSS.supports('color', color)) return undefined
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (context === null) return undefined
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const { data } = context.getImageData(0, 0, 1, 1)
  return `#${[...data].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
