/** Writes parts of an SVG as a template, which draws braces of the file as they are. */
import { escapeLiquid } from './liquid.ts'
import type { SvgElement } from './read-svg.ts'

/** Attributes of editors, scripts and links, which no renderer needs. */
const dropped = /^(on\w+|(?!xlink:|xml:)[^:]+:.*|data-.*|aria-.*|role)$/
const droppedElements = /^(script|metadata|foreignObject|title|desc|[^:]+:.*)$/

export function isDropped({ name }: SvgElement): boolean {
  return droppedElements.test(name)
}

export function writeSvg(element: SvgElement): string {
  if (isDropped(element)) return ''
  const parts: string[] = []
  let text = ''
  const endText = () => {
    parts.push(escapeLiquid(escapeXml(text)))
    text = ''
  }
  for (const child of element.children) {
    // Comments split a text: braces on both sides are escaped together.
    if (typeof child === 'string') text += child
    else if (!isDropped(child)) {
      endText()
      parts.push(writeSvg(child))
    }
  }
  endText()
  return writeAround(element, parts.join(''))
}

/** The element with the SVG that it contains. */
export function writeAround({ name, attributes, fillParameter }: SvgElement, inner: string): string {
  const head = `<${name}${writeAttributes(attributes, fillParameter)}`
  return inner === '' ? `${head}/>` : `${head}>${inner}</${name}>`
}

/** Only the name of a parameter becomes a template. */
export function writeAttributes(attributes: Record<string, string>, fillParameter?: string): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    dropped.test(name) || (name === 'style' && fillParameter !== undefined)
      ? []
      : [` ${name}="${escapeLiquid(escapeXml(value))}"`],
  )
  if (fillParameter !== undefined) {
    // Wins over every rule, and keeps the other properties of the rules.
    const style = escapeLiquid(escapeXml(attributes.style ?? ''))
    written.push(` style="${style};fill:{{ ${fillParameter} | escape }}!important"`)
  }
  return written.join('')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (char) => entities[char] ?? char)
}
