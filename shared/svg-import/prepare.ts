/** Writes what a browser decides for an SVG into its elements, because no renderer here decides the same. */
import { lengthOf, multiply, transformOf } from './geometry.ts'
import { elementsIn, type SvgElement } from './read-svg.ts'
import { ownProperty, type Rules } from './styles.ts'
import { type Box, viewportOf } from './viewport.ts'

/** Elements with a feature that is not supported, and its name. */
export type Unsupported = [element: SvgElement, feature: string][]

/** Leaves the first child of each `switch` that is for any reader or one of English, as a browser in English does. */
export function chooseInSwitches(root: SvgElement): Unsupported {
  const unsupported: Unsupported = []
  for (const element of elementsIn(root)) {
    if (element.name === 'foreignObject') unsupported.push([element, 'HTML in foreignObject'])
    if (element.name !== 'switch') continue
    const chosen = element.children.find((child) => typeof child !== 'string' && isChosen(child))
    element.children = chosen === undefined ? [] : [chosen]
  }
  return unsupported
}

function isChosen({ name, attributes }: SvgElement): boolean {
  const { systemLanguage, requiredExtensions } = attributes
  if (name === 'foreignObject' || requiredExtensions !== undefined) return false
  return systemLanguage === undefined || /(^|,)\s*en\b/i.test(systemLanguage)
}

/** Writes transforms of CSS and `transform-origin` as `transform`. */
export function resolveTransforms(root: SvgElement, rules: Rules): Unsupported {
  const unsupported: Unsupported = []
  for (const element of elementsIn(root)) {
    const { attributes } = element
    const value = ownProperty(element, 'transform', rules)
    const origin = ownProperty(element, 'transform-origin', rules)
    const isCss = value !== undefined && value !== attributes.transform?.trim()
    if (value === undefined || value === 'none' || (!isCss && origin === undefined)) continue
    const plain = isCss ? withoutUnits(value) : value
    const place = origin === undefined ? { x: 0, y: 0 } : originOf(element, origin, rules)
    if (plain === undefined || place === undefined) {
      unsupported.push([element, plain === undefined ? 'transform of CSS' : 'transform-origin'])
      continue
    }
    const matrix = multiply(multiply([1, 0, 0, 1, place.x, place.y], transformOf(plain)), [
      1,
      0,
      0,
      1,
      -place.x,
      -place.y,
    ])
    attributes.transform = `matrix(${matrix.join(' ')})`
    if (isCss) attributes.style = `${attributes.style ?? ''};transform:matrix(${matrix.join(',')})!important`
  }
  return unsupported
}

const degrees: Record<string, number> = { deg: 1, rad: 180 / Math.PI, turn: 360, grad: 0.9 }

/** The functions of CSS with the numbers of the attribute. */
function withoutUnits(value: string): string | undefined {
  let isKnown = !/(3d|[zZ]|perspective|%)/.test(value)
  const plain = value.replaceAll(/([a-zA-Z]+)\(([^()]*)\)/g, (_, name: string, list: string) => {
    const numbers = list.split(/[\s,]+/).map((part) => {
      const [, number = '', unit = ''] = /^([-+.\de]+?)(deg|rad|turn|grad)$/.exec(part) ?? []
      const plainNumber = unit === '' ? lengthOf(part) : Number(number) * (degrees[unit] ?? 1)
      isKnown &&= plainNumber !== undefined
      return plainNumber
    })
    const [first] = numbers
    if (name === 'translateX') return `translate(${first} 0)`
    if (name === 'translateY') return `translate(0 ${first})`
    if (name === 'scaleX') return `scale(${first} 1)`
    if (name === 'scaleY') return `scale(1 ${first})`
    return `${name}(${numbers.join(' ')})`
  })
  return isKnown ? plain : undefined
}

const words: Record<string, string> = { left: '0%', top: '0%', center: '50%', right: '100%', bottom: '100%' }

/** The origin, in units of the element. Undefined if its reference box is not known. */
function originOf(element: SvgElement, value: string, rules: Rules): { x: number; y: number } | undefined {
  const [first = '0', second = 'center'] = value.trim().split(/\s+/)
  const [x, y] = /^(top|bottom)$/.test(first) || /^(left|right)$/.test(second) ? [second, first] : [first, second]
  const isOfFill = /^(fill-box|content-box)$/.test(ownProperty(element, 'transform-box', rules) ?? '')
  const box = isOfFill ? fillBoxOf(element) : { ...viewportOf(element.parent ?? element), x: 0, y: 0 }
  if (box === undefined) return undefined
  return {
    x: box.x + (lengthOf(words[x] ?? x, 16, box.width) ?? 0),
    y: box.y + (lengthOf(words[y] ?? y, 16, box.height) ?? 0),
  }
}

function fillBoxOf(element: SvgElement): Box | undefined {
  const viewport = viewportOf(element)
  const length = (key: string) =>
    lengthOf(element.attributes[key], 16, /x|width/.test(key) ? viewport.width : viewport.height) ?? 0
  if (/^(rect|image)$/.test(element.name))
    return { x: length('x'), y: length('y'), width: length('width'), height: length('height') }
  if (!/^(circle|ellipse)$/.test(element.name)) return undefined
  const [rx, ry] = [length('r') || length('rx'), length('r') || length('ry')]
  return { x: length('cx') - rx, y: length('cy') - ry, width: 2 * rx, height: 2 * ry }
}
