/** Writes an SVG for librsvg while it is checked: in UTF-8, with lengths in pixels, and with the features that librsvg doesn't draw. */
import type { SaxesTagNS } from 'saxes'
import { svgCss, type Variables, variablesOf } from './svg-css.ts'

export interface DrawableSvg {
  svg: string
  /** Names of features that browsers draw and librsvg doesn't. */
  missing: string[]
}

export class SvgWriter {
  private readonly parts: string[] = []
  private readonly missing = new Set<string>()
  private readonly variables: Variables

  /** `text`: the entire SVG. */
  constructor(text: string) {
    this.variables = variablesOf(text)
  }

  open(tag: SaxesTagNS, depth: number): void {
    const attributes = new Map(Object.values(tag.attributes).map(({ name, value }) => [name, value]))
    if (undrawnElements.has(tag.local)) this.missing.add(`<${tag.local}>`)
    if (attributes.get('color-interpolation') === 'linearRGB') this.missing.add('color-interpolation')
    if (tag.local === 'feImage' && /^#/.test(attributes.get('href') ?? attributes.get('xlink:href') ?? ''))
      this.missing.add('<feImage> of an element')
    if (depth === 0) addRootSizes(attributes)
    const written = [...attributes].map(([name, value]) => ` ${name}="${escaped(this.attribute(tag, name, value))}"`)
    this.parts.push(`<${tag.name}${written.join('')}>`)
  }

  text(text: string): void {
    this.parts.push(escaped(text))
  }

  /** `tag`: of the `style` element, which librsvg applies in every language and for every medium. */
  styleSheet(css: string, { attributes }: SaxesTagNS): void {
    const [type, media] = [attributes.type?.value ?? '', attributes.media?.value ?? '']
    if (!/^\s*(text\/css)?\s*$/i.test(type)) return
    this.text(this.css(/^\s*(all|screen)?\s*$/i.test(media) ? css : `@media ${media}{${css}}`, 'stylesheet'))
  }

  close({ name }: SaxesTagNS): void {
    this.parts.push(`</${name}>`)
  }

  finished(): DrawableSvg {
    return { svg: this.parts.join(''), missing: [...this.missing] }
  }

  private attribute({ local }: SaxesTagNS, name: string, value: string): string {
    if (name === 'style') return this.css(value, 'declarationList')
    if (undrawnAttributes.has(name) || (name === 'rotate' && textElements.has(local))) this.missing.add(name)
    return styled.has(name) || lengths.has(name) ? this.css(value, 'value', name) : value
  }

  private css(text: string, context: 'stylesheet' | 'declarationList' | 'value', property?: string): string {
    const { drawn, missing } = svgCss(text, context, this.variables, property)
    for (const each of missing) this.missing.add(each)
    return drawn
  }
}

/** librsvg has a font size of 12, browsers of 16. */
function addRootSizes(attributes: Map<string, string>): void {
  if (!attributes.has('font-size')) attributes.set('font-size', '16')
  for (const side of ['width', 'height']) {
    const value = attributes.get(side)
    // The size of the image is known before the font.
    if (value !== undefined) attributes.set(side, value.replace(/^(\s*[\d.+-]+)em(\s*)$/i, '$1rem$2'))
  }
}

const undrawnElements = new Set(['textPath', 'animate', 'animateTransform', 'animateMotion', 'set'])
const undrawnAttributes = new Set([
  'transform-origin',
  'textLength',
  'word-spacing',
  'alignment-baseline',
  'baseline-shift',
])
const textElements = new Set(['text', 'tspan'])

const styled = new Set([
  ...['fill', 'stroke', 'color', 'stop-color', 'flood-color', 'lighting-color', 'clip-path', 'mask', 'filter'],
  ...['opacity', 'fill-opacity', 'stroke-opacity', 'stop-opacity'],
])

const lengths = new Set([
  ...['x', 'y', 'width', 'height', 'cx', 'cy', 'r', 'rx', 'ry', 'x1', 'y1', 'x2', 'y2', 'dx', 'dy', 'fx', 'fy', 'fr'],
  ...['font-size', 'letter-spacing', 'stroke-width', 'stroke-dasharray', 'stroke-dashoffset'],
  ...['markerWidth', 'markerHeight', 'refX', 'refY', 'startOffset'],
])

/** Text or the value of an attribute, in which line breaks would become spaces. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
