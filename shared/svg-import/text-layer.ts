/** Converts a text of an SVG to an element of HTML with the same place and look. */
import { fontOf, metricsOf, weightOf } from './fonts.ts'
import { fractionOf, lengthOf, type Matrix, multiply, rounded } from './geometry.ts'
import { elementsIn, hasOwnText, type SvgElement, textOf } from './read-svg.ts'
import { type Shadow, textShadow } from './shadows.ts'
import { isColor } from './style-sheet.ts'
import { fontSizeOf, inherited, opacityOf, paintOf, type Rules } from './styles.ts'
import { baselineShiftOf, decorationOf } from './text-features.ts'
import { linesOf } from './text-lines.ts'
import { matrixOf } from './viewport.ts'

export interface TextLayer {
  text: string
  /** Declarations of CSS. */
  style: Record<string, string>
  /** Differences for the report. */
  notes: string[]
}

function quoted(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
}

/** `textProblemOf` decides which texts HTML can draw. */
export function textLayer(element: SvgElement, canvas: Matrix, rules: Rules, shadows: readonly Shadow[]): TextLayer {
  const styled = mostStyled(element)
  const matrix = multiply(canvas, matrixOf(element))
  const isPlain =
    Math.abs(matrix[1]) < 1e-6 && Math.abs(matrix[2]) < 1e-6 && Math.abs(matrix[0] - matrix[3]) < 1e-6 && matrix[0] > 0
  const factor = isPlain ? matrix[0] : 1
  const size = fontSizeOf(styled, rules)
  const lines = linesOf(element, rules)
  const notes = [...lines.notes]
  const { family, weight, isItalic } = fontOf(inherited(styled, 'font-family', rules), notes)
  const metrics = metricsOf(family)
  const lineHeight = lines.step > 0 ? lines.step : size * 1.2
  const baseline = lineHeight / 2 + ((metrics.ascent - metrics.descent) * size) / 2
  const top = lines.y + baselineShiftOf(styled, element, metrics, rules) - baseline
  const [left, y] = isPlain ? [factor * lines.x + matrix[4], factor * top + matrix[5]] : [lines.x, top]
  const isRtl = inherited(styled, 'direction', rules) === 'rtl'
  const anchor = inherited(styled, 'text-anchor', rules) ?? 'start'
  const shift = anchor === 'middle' ? '-50%' : (anchor === 'end') !== isRtl ? '-100%' : undefined
  const align = lines.align ?? (anchor === 'middle' ? 'center' : shift === undefined ? undefined : 'right')
  const transforms = [
    ...(isPlain
      ? []
      : [
          `matrix(${matrix.map((number) => rounded(number, 4)).join(', ')})`,
          `translate(${rounded(left)}px, ${rounded(y)}px)`,
        ]),
    ...(shift === undefined ? [] : [`translateX(${shift})`]),
  ]
  if (distinctStyles(element, rules) > 1)
    notes.push('its parts have different styles: the style of the first part is used')
  if ([...elementsIn(element)].some(({ attributes }) => attributes.textLength !== undefined))
    notes.push('its textLength is not supported: it has its natural width')
  const stretch = inherited(styled, 'font-stretch', rules) ?? 'normal'
  if (!/^(normal|100%)$/.test(stretch)) notes.push('its font-stretch is not supported')
  const fontWeight = inherited(styled, 'font-weight', rules)
  const slant = inherited(styled, 'font-style', rules) ?? ''
  return {
    text: lines.text,
    style: {
      left: isPlain ? `${rounded(left)}px` : '0',
      top: isPlain ? `${rounded(y)}px` : '0',
      'font-family': family === 'Inter' ? 'Inter' : `"${family}"`,
      'font-size': `${rounded(size * factor)}px`,
      'font-weight': String(weightOf(fontWeight) ?? weight ?? 400),
      ...(isItalic || /^(italic|oblique)/.test(slant) ? { 'font-style': 'italic' } : {}),
      'line-height': `${rounded(lineHeight * factor)}px`,
      ...spacingOf(styled, factor, rules),
      ...(isRtl ? { direction: 'rtl' } : {}),
      ...(align === undefined ? {} : { 'text-align': align }),
      ...paintsOf(element, styled, factor, notes, rules),
      ...(shadows.length > 0 ? { 'text-shadow': textShadow(shadows, factor) } : {}),
      ...(transforms.length > 0 ? { transform: transforms.join(' '), 'transform-origin': '0 0' } : {}),
    },
    notes,
  }
}

function spacingOf(styled: SvgElement, factor: number, rules: Rules): Record<string, string> {
  const style: Record<string, string> = {}
  for (const name of ['letter-spacing', 'word-spacing'] as const) {
    const spacing = lengthOf(inherited(styled, name, rules), fontSizeOf(styled, rules))
    if (spacing) style[name] = `${rounded(spacing * factor)}px`
  }
  const transform = inherited(styled, 'text-transform', rules) ?? ''
  if (/^(uppercase|lowercase|capitalize)$/.test(transform)) style['text-transform'] = transform
  if (/\bsmall-caps\b/.test(inherited(styled, 'font-variant', rules) ?? '')) style['font-variant-caps'] = 'small-caps'
  const decoration = decorationOf(styled, rules)
  if (decoration !== undefined) style['text-decoration'] = decoration
  return style
}

function paintsOf(
  element: SvgElement,
  styled: SvgElement,
  factor: number,
  notes: string[],
  rules: Rules,
): Record<string, string> {
  const fill = paintOf(styled, 'fill', rules) ?? 'black'
  const isNone = fill === 'none'
  if (fill.startsWith('url(')) notes.push('its gradient is not supported: it is drawn in black')
  else if (!isNone && !isColor(fill)) notes.push(`its fill ${quoted(fill)} is not a colour: it is drawn in black`)
  const stroke = paintOf(styled, 'stroke', rules) ?? 'none'
  const width = (lengthOf(inherited(styled, 'stroke-width', rules), fontSizeOf(styled, rules)) ?? 1) * factor
  const hasStroke = stroke !== 'none' && isColor(stroke) && width > 0
  if (stroke.startsWith('url(')) notes.push('the gradient of its stroke is not supported: it has no stroke')
  else if (stroke !== 'none' && !isColor(stroke))
    notes.push(`its stroke ${quoted(stroke)} is not a colour: it has no stroke`)
  if (hasStroke && /^stroke/.test(inherited(styled, 'paint-order', rules) ?? ''))
    notes.push('its paint-order is not supported: the stroke covers the fill')
  const fillOpacity = fractionOf(inherited(styled, 'fill-opacity', rules)) ?? 1
  const strokeOpacity = fractionOf(inherited(styled, 'stroke-opacity', rules)) ?? 1
  if (hasStroke && fillOpacity !== strokeOpacity) notes.push('its stroke has the opacity of the fill')
  const opacity = opacityOf(element, rules) * fillOpacity
  return {
    color: isNone ? 'transparent' : isColor(fill) ? fill : 'black',
    ...(hasStroke ? { '-webkit-text-stroke': `${rounded(width)}px ${stroke}` } : {}),
    ...(opacity < 1 ? { opacity: String(rounded(opacity)) } : {}),
  }
}

/** The first part with text: editors put the style on it. */
function mostStyled(element: SvgElement): SvgElement {
  const part = element.children.find((child) => typeof child !== 'string' && textOf(child).trim() !== '')
  return hasOwnText(element) || part === undefined || typeof part === 'string' ? element : mostStyled(part)
}

const styleNames = [
  ...(['font-weight', 'font-family', 'font-style', 'font-variant', 'text-transform'] as const),
  ...(['fill', 'fill-opacity', 'stroke', 'letter-spacing', 'word-spacing'] as const),
] as const

function distinctStyles(element: SvgElement, rules: Rules): number {
  const parts = [...elementsIn(element)].filter(hasOwnText)
  const styles = parts.map((part) => [
    fontSizeOf(part, rules),
    decorationOf(part, rules),
    ...styleNames.map((name) => inherited(part, name, rules)),
  ])
  return new Set(styles.map((style) => style.join('|'))).size
}
