/** Converts a text of an SVG to an element of HTML with the same place and look. */
import { identity, lengthOf, type Matrix, multiply, numbersIn, rounded, transformOf } from './geometry.ts'
import { elementsIn, hasOwnText, type SvgElement, textOf } from './read-svg.ts'
import { inherited, opacityOf, ownProperty, type Rules } from './styles.ts'

export interface TextLayer {
  text: string
  /** Declarations of CSS. */
  style: Record<string, string>
  /** Differences for the report. */
  notes: string[]
}

/** Ascent and descent of the included fonts, as parts of the size (`hhea`). */
const metrics: Record<string, readonly [ascent: number, descent: number]> = {
  Inter: [0.96875, 0.2412],
  Lora: [1.006, 0.272],
  'Playfair Display': [1.082, 0.251],
  'JetBrains Mono': [1.02, 0.3],
  Oswald: [1.193, 0.289],
  Anton: [1.1763, 0.3286],
}

const weights: Record<string, number> = {
  ...{ thin: 100, hairline: 100, extralight: 200, ultralight: 200, light: 300, regular: 400, normal: 400, book: 400 },
  ...{ medium: 500, semibold: 600, demibold: 600, bold: 700, extrabold: 800, ultrabold: 800, black: 900, heavy: 900 },
}

/** Values of a file become CSS with templates in it: only these shapes of a value are copied. */
function isColor(value: string): boolean {
  return /^(?:#[\da-f]{3,8}|[a-z]{1,40}|[a-z]{1,20}\([\w\s.,%/+#-]{1,200}\))$/i.test(value)
}

function quoted(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
}

function weightOf(text = ''): number | undefined {
  if (Object.hasOwn(weights, text)) return weights[text]
  const weight = Number(text)
  return weight >= 1 && weight <= 1000 ? weight : undefined
}

export function textLayer(element: SvgElement, canvas: Matrix, rules: Rules): TextLayer {
  const notes: string[] = []
  const styled = mostStyled(element)
  const matrix = multiply(canvas, matrixOf(element))
  const scale = Math.hypot(matrix[0], matrix[1])
  const isPlain =
    Math.abs(matrix[1]) < 1e-6 && Math.abs(matrix[2]) < 1e-6 && Math.abs(matrix[0] - matrix[3]) < 1e-6 && matrix[0] > 0
  const factor = isPlain ? scale : 1
  const size = (lengthOf(inherited(styled, 'font-size', rules)) ?? 16) * factor
  const lines = linesOf(element, rules, size / factor)
  const [first] = lines
  const [x, y] = isPlain
    ? [matrix[0] * (first?.x ?? 0) + matrix[4], matrix[3] * (first?.y ?? 0) + matrix[5]]
    : [first?.x ?? 0, first?.y ?? 0]
  const { family, weight, isItalic } = fontOf(inherited(styled, 'font-family', rules), notes)
  const fontWeight = inherited(styled, 'font-weight', rules)
  const step = lines.length > 1 ? ((lines.at(-1)?.y ?? 0) - (first?.y ?? 0)) / (lines.length - 1) : 0
  const lineHeight = step > 0 ? step * factor : size * 1.2
  const [ascent, descent] = metrics[family] ?? [0.97, 0.24]
  const baseline = lineHeight / 2 + ((ascent - descent) * size) / 2
  const anchor = inherited(styled, 'text-anchor', rules) ?? 'start'
  const fill = inherited(styled, 'fill', rules) ?? 'black'
  const isPaint = fill.startsWith('url(')
  if (isPaint) notes.push('its gradient is not supported: it is drawn in black')
  else if (!isColor(fill)) notes.push(`its fill ${quoted(fill)} is not a colour: it is drawn in black`)
  const stroke = inherited(styled, 'stroke', rules) ?? 'none'
  const strokeWidth = (lengthOf(inherited(styled, 'stroke-width', rules), size / factor) ?? 1) * factor
  const hasStroke = stroke !== 'none' && isColor(stroke)
  if (stroke.startsWith('url(')) notes.push('the gradient of its stroke is not supported: it has no stroke')
  else if (!isColor(stroke)) notes.push(`its stroke ${quoted(stroke)} is not a colour: it has no stroke`)
  const opacity = opacityOf(element, rules) * Number.parseFloat(inherited(styled, 'fill-opacity', rules) ?? '1')
  const spacing = lengthOf(inherited(styled, 'letter-spacing', rules), size / factor)
  const shift = anchor === 'middle' ? '-50%' : anchor === 'end' ? '-100%' : undefined
  const transforms = [
    ...(isPlain
      ? []
      : [
          `matrix(${matrix.map((number) => rounded(number, 4)).join(', ')})`,
          `translate(${rounded(x)}px, ${rounded(y - baseline)}px)`,
        ]),
    ...(shift === undefined ? [] : [`translateX(${shift})`]),
  ]
  if (distinctStyles(element, rules) > 1)
    notes.push('its parts have different styles: the style of the first part is used')
  return {
    text: lines.map(({ text }) => text).join('\n'),
    style: {
      left: isPlain ? `${rounded(x)}px` : '0',
      top: isPlain ? `${rounded(y - baseline)}px` : '0',
      'font-family': family === 'Inter' ? 'Inter' : `"${family}"`,
      'font-size': `${rounded(size)}px`,
      'font-weight': String(weightOf(fontWeight) ?? weight ?? 400),
      ...(isItalic || inherited(styled, 'font-style', rules) === 'italic' ? { 'font-style': 'italic' } : {}),
      'line-height': `${rounded(lineHeight)}px`,
      ...(spacing ? { 'letter-spacing': `${rounded(spacing * factor)}px` } : {}),
      ...(shift === undefined ? {} : { 'text-align': anchor === 'middle' ? 'center' : 'right' }),
      color: isPaint || !isColor(fill) ? 'black' : fill === 'none' ? 'transparent' : fill,
      ...(hasStroke ? { '-webkit-text-stroke': `${rounded(strokeWidth)}px ${stroke}` } : {}),
      ...(opacity < 1 ? { opacity: String(rounded(opacity)) } : {}),
      ...(transforms.length > 0 ? { transform: transforms.join(' '), 'transform-origin': '0 0' } : {}),
    },
    notes,
  }
}

/** Of elements that were read: many layers have the same ancestors. */
const matrices = new WeakMap<SvgElement, Matrix>()

/** The transforms of the element and its ancestors, without the root. */
export function matrixOf(element: SvgElement): Matrix {
  if (element.parent === undefined) return identity
  const before = matrices.get(element)
  if (before !== undefined) return before
  const matrix = multiply(matrixOf(element.parent), transformOf(element.attributes.transform))
  matrices.set(element, matrix)
  return matrix
}

interface Line {
  /** Joined at the end: a check of a growing text copies it each time. */
  parts: string[]
  isBlank: boolean
  x: number
  y: number
}

/** A `tspan` that moves down starts a line. */
function linesOf(element: SvgElement, rules: Rules, size: number): { text: string; x: number; y: number }[] {
  const [x = 0] = numbersIn(element.attributes.x)
  const [y = 0] = numbersIn(element.attributes.y)
  const lines: Line[] = [{ parts: [], isBlank: true, x, y }]
  const keepsSpace =
    element.attributes['xml:space'] === 'preserve' || /pre/.test(ownProperty(element, 'white-space', rules) ?? '')
  const visit = (node: SvgElement) => {
    for (const child of node.children) {
      const line = lines.at(-1) as Line
      if (typeof child === 'string') {
        line.parts.push(keepsSpace ? child.replaceAll(/[\n\r\t]+/g, '') : child.replaceAll(/\s+/g, ' '))
        line.isBlank &&= child.trim() === ''
        continue
      }
      const [newX] = numbersIn(child.attributes.x)
      const [newY] = numbersIn(child.attributes.y)
      const dy = lengthOf(child.attributes.dy, size) ?? 0
      const isNew = newY !== undefined ? Math.abs(newY - line.y) > size * 0.3 : Math.abs(dy) > size * 0.3
      if (line.isBlank) {
        line.x = newX ?? line.x
        line.y = (newY ?? line.y) + dy
        line.parts = []
      } else if (isNew) lines.push({ parts: [], isBlank: true, x: newX ?? line.x, y: (newY ?? line.y) + dy })
      visit(child)
    }
  }
  visit(element)
  const trimmed = lines.map(({ parts, x, y }) => ({ text: parts.join('').trim(), x, y }))
  return trimmed.filter(({ text }, index) => text !== '' || index === 0)
}

/** The first part with text: editors put the style on it. */
function mostStyled(element: SvgElement): SvgElement {
  const part = element.children.find((child) => typeof child !== 'string' && textOf(child).trim() !== '')
  return hasOwnText(element) || part === undefined || typeof part === 'string' ? element : mostStyled(part)
}

function distinctStyles(element: SvgElement, rules: Rules): number {
  const names = ['font-size', 'font-weight', 'font-family', 'fill'] as const
  const parts = [...elementsIn(element)].filter(hasOwnText)
  return new Set(parts.map((part) => names.map((name) => inherited(part, name, rules)).join('|'))).size
}

/** `'MyriadPro-Bold', 'Myriad Pro'`, as Illustrator writes it. */
function fontOf(list: string | undefined, notes: string[]): { family: string; weight?: number; isItalic: boolean } {
  const names = (list ?? 'Inter').split(',').map((name) => name.trim().replaceAll(/^['"]|['"]$/g, ''))
  const [first = 'Inter'] = names
  const [, stem = first, suffix = ''] = /^(.+?)-([A-Za-z]+)$/.exec(first) ?? []
  const isItalic = /italic|oblique/i.test(suffix)
  const found = weightOf(suffix.replace(/italic|oblique/i, '').toLowerCase())
  const weight = found === undefined ? {} : { weight: found }
  const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '')
  const known = [...names, stem]
    .map((name) => Object.keys(metrics).find((known) => plain(known) === plain(name)))
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
