/**
 * Inline markup: a strict subset of Pango markup (docs.gtk.org/Pango/pango_markup.html). Elements b, i, u, s and
 * span; the attributes color, background, weight, size and font of span; XML entities and character references.
 * Everything else is rejected with its position, so that a mistake is reported instead of printed.
 */
import { SaxesParser } from 'saxes'
import { didYouMean } from '../../../shared/suggest.ts'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { parseColor } from '../raster/color.ts'
import { lineBreaks, withoutControls } from './prepare-text.ts'
import type { Run, RunStyle } from './runs.ts'

/** Throws `input_invalid` with line and column. */
export function parseMarkup(markup: string): Run[] {
  const parser = new SaxesParser({ fragment: true, position: true })
  const runs: Run[] = []
  const open: RunStyle[] = [{}]

  const refuse = (problem: string): never => {
    const at = `line ${parser.line}, column ${parser.column}`
    throw failure('input_invalid', `The markup is invalid at ${at}: ${problem}.`)
  }
  const onText = (text: string) => {
    if (text !== '') runs.push({ text, style: open.at(-1) ?? {} })
  }

  parser.on('error', ({ message }) => {
    refuse(`${message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')}. Write &lt; and &amp; for < and &`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = elements.get(name)
    if (element === undefined)
      return refuse(
        `<${shortened(name)}> is not a known element. ${didYouMean(name, elements.keys()).replace(/[?]$/, '') || `Known elements: ${[...elements.keys()].join(', ')}`}`,
      )
    if (open.length > limits.markupDepthMax)
      return refuse(`elements are nested more than ${limits.markupDepthMax} deep`)
    const style = { ...open.at(-1), ...element.style }
    for (const [attribute, value] of Object.entries(attributes)) {
      const read = element.attributes.get(attribute)
      if (read === undefined) {
        const known = [...element.attributes.keys()].join(', ') || 'none'
        return refuse(`${shortened(attribute)} is not an attribute of <${name}>. Known attributes: ${known}`)
      }
      const problem = read(value, style)
      if (problem !== undefined) refuse(`${attribute}="${shortened(value)}" ${problem}`)
    }
    open.push(style)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('comment', () => refuse('comments are not supported'))
  parser.on('processinginstruction', () => refuse('processing instructions are not supported'))
  parser.on('doctype', () => refuse('document types are not supported'))
  // XML forbids these characters.
  parser.write(withoutControls(markup.replaceAll(lineBreaks, '\n').toWellFormed())).close()
  return runs
}

/** Writes an attribute into the style, or returns the expected value. */
type Attribute = (value: string, style: RunStyle) => string | undefined

const asColor =
  (name: 'color' | 'background'): Attribute =>
  (value, style) => {
    try {
      parseColor(value)
    } catch {
      return 'must be a CSS colour, such as #0af or white'
    }
    style[name] = value
    return undefined
  }

const spanAttributes: Record<string, Attribute> = {
  color: asColor('color'),
  background: asColor('background'),
  weight(value, style) {
    const weight = Number(weightNames[value] ?? (/^\d{3}$/.test(value) ? value : Number.NaN))
    if (!(weight >= 100 && weight <= 900))
      return `must be from 100 to 900, or one of ${Object.keys(weightNames).join(', ')}`
    style.weight = weight
    return undefined
  },
  size(value, style) {
    const share = /^\d{1,4}(\.\d{1,3})?%$/.test(value) ? Number.parseFloat(value) / 100 : Number.NaN
    if (!(share >= sizeMin && share <= sizeMax))
      return `must be a share of the size of the text, from ${sizeMin * 100}% to ${sizeMax * 100}%`
    style.size = share
    return undefined
  },
  font(value, style) {
    if (value.trim() === '') return 'must be the name of a font'
    style.font = value
    return undefined
  },
}

const sizeMin = 0.1
const sizeMax = 10
/** Weights by their names in Pango; the numbers are those of CSS. */
const weightNames: Record<string, number> = { light: 300, normal: 400, medium: 500, bold: 700, heavy: 900 }

const none = new Map<string, Attribute>()

const elements = new Map<string, { style: RunStyle; attributes: Map<string, Attribute> }>([
  ['b', { style: { weight: 700 }, attributes: none }],
  ['i', { style: { italic: true }, attributes: none }],
  ['u', { style: { underline: true }, attributes: none }],
  ['s', { style: { strike: true }, attributes: none }],
  ['span', { style: {}, attributes: new Map(Object.entries(spanAttributes)) }],
])

/** A name or a value, shortened for a message. */
function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
