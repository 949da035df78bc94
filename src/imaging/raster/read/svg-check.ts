/**
 * Checks an SVG before any renderer reads it: small, plain and self-contained. An SVG renderer is built for trusted
 * documents, so everything that drawing does not need is rejected rather than ignored.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { type DrawableSvg, SvgWriter } from './svg-write.ts'
import { textOf } from './xml-text.ts'

/** Throws `input_invalid` or `limit_exceeded` if the SVG is not allowed. Returns the SVG for the renderer. */
export function checkSvg(bytes: Buffer): DrawableSvg {
  const text = decoded(bytes)
  const parser = new SaxesParser({ xmlns: true, position: false })
  const writer = new SvgWriter(text)
  /** Local names of the open elements. */
  const open: string[] = []
  let textChars = 0
  let styleSheet = ''

  parser.on('error', (error) => {
    throw refuse(`it is not well-formed XML (${error.message})`)
  })
  parser.on('doctype', (doctype) => {
    if (!harmlessDoctype.test(doctype)) throw refuse('it has a document type declaration that can contain entities')
  })
  parser.on('processinginstruction', ({ target }) => {
    throw refuse(`it has the processing instruction <?${target}?>`)
  })
  parser.on('opentag', (tag) => {
    checkElement(tag, open.length)
    writer.open(tag, open.length)
    open.push(tag.local)
    if (open.length > depthMax) throw refuse(`its elements are nested more than ${depthMax} deep`)
  })
  parser.on('closetag', (tag) => {
    if (open.pop() === 'style') {
      checkCss(styleSheet, 'a style sheet')
      writer.styleSheet(styleSheet, tag)
      styleSheet = ''
    }
    writer.close(tag)
  })
  const onText = (text: string) => {
    // Comments and CDATA split it for this parser but not for the renderer, so it is checked in one piece.
    if (open.at(-1) === 'style') styleSheet += text
    else if (open.length > 0) writer.text(text)
    if (open.includes('text')) textChars += text.replaceAll(/\s+/g, ' ').length
    if (textChars > limits.svgTextCharsMax) {
      throw failure(
        'limit_exceeded',
        `The SVG has more than ${limits.svgTextCharsMax} characters of text, the maximum. Convert text to paths.`,
      )
    }
  }
  parser.on('text', onText)
  parser.on('cdata', onText)

  parser.write(text)
  parser.close()
  return writer.finished()
}

const depthMax = 128

/** Namespaces that editors write: W3C names, which this code ignores. Entity declarations are rejected. */
const harmlessDoctype = /^\s*svg(\s+PUBLIC\s+"-\/\/W3C\/\/DTD SVG [\w. ]+\/\/EN"\s+"[^"[\]<>]*")?\s*$/
const svgNamespace = 'http://www.w3.org/2000/svg'

const refused = new Set([
  'script',
  'foreignobject',
  'iframe',
  'object',
  'embed',
  'audio',
  'video',
  'handler',
  'listener',
  'include',
])

function checkElement(tag: SaxesTagNS, depth: number): void {
  if (depth === 0 && (tag.local !== 'svg' || tag.uri !== svgNamespace)) {
    throw refuse(`its root must be <svg xmlns="${svgNamespace}">, not <${tag.name}>`)
  }
  if (refused.has(tag.local.toLowerCase())) throw refuse(`it has a <${tag.name}> element`)
  for (const attribute of Object.values(tag.attributes)) {
    const { local, name, value } = attribute
    if (/^on/i.test(local)) throw refuse(`it has the event handler ${name}`)
    if (/^(href|src|base)$/i.test(local)) checkReference(value, name)
    else if (value.includes('(') || value.includes('\\') || local === 'style') checkCss(value, `the attribute ${name}`)
  }
}

function checkReference(value: string, where: string): void {
  if (!allowedReference.test(value.trim())) {
    throw refuse(`${where} refers to another file. Only #id and data: images in PNG, JPEG, WebP or GIF are allowed`)
  }
}

const allowedReference = /^(#|data:image\/(png|jpeg|jpg|webp|gif)[;,]|$)/i

function checkCss(css: string, where: string): void {
  const plain = css
    .replaceAll(/\/\*[\s\S]*?(\*\/|$)/g, '')
    .replaceAll(/\\([0-9a-f]{1,6})\s?|\\([\s\S])/gi, (_, hex: string | undefined, char: string) =>
      hex === undefined ? char : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
    )
  if (/@import/i.test(plain)) throw refuse(`${where} has an @import`)
  for (const [, reference = ''] of plain.matchAll(/(?:url|src|image(?:-set)?)\(\s*["']?([^)]*)/gi)) {
    checkReference(reference, where)
  }
}

function decoded(bytes: Buffer): string {
  try {
    return textOf(bytes, true)
  } catch (cause) {
    throw failure(
      'input_invalid',
      'The SVG is not supported: it is not in the encoding that it declares. Export it in UTF-8.',
      { cause },
    )
  }
}

function refuse(why: string): Error {
  return failure('input_invalid', `The SVG is not supported: ${why}.`)
}
