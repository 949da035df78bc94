/** Drop shadows of filters, which CSS can repeat for a text. */
import type { ElementsById } from './definitions.ts'
import { fractionOf, lengthOf, rounded } from './geometry.ts'
import { elementsIn, type SvgElement } from './read-svg.ts'
import { isColor } from './style-sheet.ts'
import { idsIn, ownProperty, type Rules } from './styles.ts'

export interface Shadow {
  x: number
  y: number
  /** Standard deviation. CSS has twice as much as the radius. */
  deviation: number
  color: string
}

/** The shadows of the filter of an element; undefined if it does anything else. */
export function shadowsOf(element: SvgElement, byId: ElementsById, rules: Rules): Shadow[] | undefined {
  const value = ownProperty(element, 'filter', rules) ?? ''
  const [id] = idsIn(value)
  const filter = id === undefined ? undefined : byId.get(id)
  if (filter?.name === 'filter' && /^url\([^)]*\)$/.test(value.trim())) return shadowsOfFilter(filter, rules)
  return shadowsOfFunctions(value)
}

/** `text-shadow` in CSS. `factor`: pixels of a unit of the SVG. */
export function textShadow(shadows: readonly Shadow[], factor: number): string {
  const pixels = (length: number) => `${rounded(length * factor)}px`
  return shadows
    .map(({ x, y, deviation, color }) => `${pixels(x)} ${pixels(y)} ${pixels(2 * deviation)} ${color}`)
    .join(', ')
}

/** `drop-shadow(0 4px 4px rgb(0 0 0 / 25%))`, several times. */
function shadowsOfFunctions(value: string): Shadow[] | undefined {
  const pattern = /drop-shadow\(((?:[^()]|\([^()]*\))*)\)/g
  if (value.replaceAll(pattern, '').trim() !== '') return undefined
  const shadows = [...value.matchAll(pattern)].map(([, inner = '']) => {
    const parts = inner.match(/[^\s()]+(?:\([^()]*\))?/g) ?? []
    const lengths = parts.filter((part) => lengthOf(part) !== undefined).map((part) => lengthOf(part) ?? 0)
    const [color = 'black'] = parts.filter((part) => lengthOf(part) === undefined)
    const [x, y, radius = 0] = lengths
    return x === undefined || y === undefined || !isColor(color) ? undefined : { x, y, deviation: radius / 2, color }
  })
  return shadows.length > 0 && shadows.every((each) => each !== undefined) ? shadows : undefined
}

/** Primitives that the shadows of editors have. */
const ofShadows =
  /^(feDropShadow|feFlood|feColorMatrix|feOffset|feGaussianBlur|feBlend|feMerge|feMergeNode|feComposite|feComponentTransfer|feFuncA)$/

/**
 * The shadows of Figma, Illustrator and Inkscape: a copy of the alpha that is moved, blurred and coloured, in any order, for each
 * `feOffset`, and the image itself over all of them.
 */
function shadowsOfFilter(filter: SvgElement, rules: Rules): Shadow[] | undefined {
  const primitives = [...elementsIn(filter)].slice(1)
  if (primitives.some(({ name }) => !ofShadows.test(name))) return undefined
  if (filter.attributes.primitiveUnits === 'objectBoundingBox') return undefined
  const shadows: Shadow[] = []
  let part: Partial<Shadow> = {}
  let hasImage = false
  for (const primitive of primitives) {
    const { name, attributes } = primitive
    const number = (attribute: string, otherwise = 0) => Number.parseFloat(attributes[attribute] ?? `${otherwise}`)
    if (name === 'feDropShadow') {
      const color = floodOf(primitive, rules)
      shadows.push({ x: number('dx', 2), y: number('dy', 2), deviation: number('stdDeviation', 2), color })
      hasImage = true
    } else if (name === 'feOffset') {
      // The next shadow of Figma starts from the alpha of the image again.
      if (part.x !== undefined) {
        shadows.push(wholeShadow(part))
        part = {}
      }
      part.x = number('dx')
      part.y = number('dy')
    } else if (name === 'feGaussianBlur') part.deviation = number('stdDeviation')
    else if (name === 'feFlood' && fractionOf(attributes['flood-opacity']) !== 0) part.color = floodOf(primitive, rules)
    else if (name === 'feColorMatrix') part.color = colorOfMatrix(attributes.values ?? '') ?? part.color ?? 'black'
    else if (name === 'feFuncA') part.color = `rgb(0 0 0 / ${rounded(number('slope', 1), 4)})`
    // An inner shadow is cut out with the arithmetic of alphas.
    else if (name === 'feComposite' && attributes.operator === 'arithmetic') return undefined
    hasImage ||=
      [attributes.in, attributes.in2].includes('SourceGraphic') && /^fe(Blend|MergeNode|Composite)$/.test(name)
  }
  if (part.x !== undefined) shadows.push(wholeShadow(part))
  return hasImage && shadows.length > 0 ? shadows : undefined
}

function wholeShadow({ x = 0, y = 0, deviation = 0, color = 'black' }: Partial<Shadow>): Shadow {
  return { x, y, deviation, color }
}

function floodOf(primitive: SvgElement, rules: Rules): string {
  const color = ownProperty(primitive, 'flood-color', rules) ?? 'black'
  const opacity = fractionOf(ownProperty(primitive, 'flood-opacity', rules)) ?? 1
  const plain = isColor(color) ? color : 'black'
  return opacity === 1 ? plain : `color-mix(in srgb, ${plain} ${rounded(opacity * 100)}%, transparent)`
}

/** The colour that a matrix gives to every pixel, with a share of its alpha. */
function colorOfMatrix(values: string): string | undefined {
  const numbers = values
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  if (numbers.length !== 20 || numbers.some(Number.isNaN)) return undefined
  const [red = 0, green = 0, blue = 0] = [4, 9, 14].map((at) => Math.round((numbers[at] ?? 0) * 255))
  const alpha = numbers[18] ?? 1
  // The alpha of the image as it is, or hardened for the next primitive.
  return alpha > 1 ? undefined : `rgb(${red} ${green} ${blue} / ${rounded(alpha, 4)})`
}
