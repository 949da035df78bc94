/** The elements and attributes of HTML that the renderer supports. */

const blocks = [
  'html',
  'body',
  'div',
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'section',
  'article',
  'header',
  'footer',
]
const more = ['main', 'nav', 'aside', 'figure', 'figcaption', 'address', 'blockquote', 'pre', 'hr', 'hgroup', 'search']
const lists = ['ul', 'ol', 'li', 'menu', 'dl', 'dt', 'dd']
const tables = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th']
const inlines = ['a', 'span', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'mark', 'small', 'big', 'sub', 'sup']
const others = ['code', 'kbd', 'samp', 'var', 'cite', 'q', 'dfn', 'abbr', 'time', 'data', 'label', 'br', 'wbr']

export const shownElements: ReadonlySet<string> = new Set([
  ...blocks,
  ...more,
  ...lists,
  ...tables,
  ...inlines,
  ...others,
  'img',
])

/** Parts of a pasted document that are not drawn. */
export const hiddenElements: ReadonlySet<string> = new Set(['head', 'title', 'meta', 'style'])

export const elements: ReadonlySet<string> = new Set([...shownElements, ...hiddenElements])

/** Why an element is not supported, and the fix. */
export const elementFixes: ReadonlyMap<string, string> = new Map([
  ['script', 'An image runs no scripts: remove it.'],
  ['link', 'Nothing is loaded: write the style sheet into the param css.'],
  ['base', 'Nothing is loaded: remove it.'],
  ['svg', 'Draw it with the operation "svg", connect its node, and use <img src="node:...">.'],
  ['canvas', 'Draw it with another node, connect it, and use <img src="node:...">.'],
  ['video', 'Use <img src="node:..."> with an image.'],
  ['iframe', 'Nothing is loaded: write the content here.'],
  ['picture', 'Use <img src="node:...">.'],
  ['input', 'Draw the field with <div> and CSS.'],
  ['font', 'Use <span> with CSS.'],
  ['center', 'Use <div> with text-align: center.'],
  ['col', 'Set the width of the cells.'],
  ['colgroup', 'Set the width of the cells.'],
])

/** Elements whose end tag HTML allows to omit. */
export const optionalEnd: ReadonlySet<string> = new Set([
  ...['html', 'head', 'body', 'p', 'li', 'dt', 'dd', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th'],
])

/** Elements before which the parser ends an open paragraph, also those that are not supported. */
export const closesParagraph: ReadonlySet<string> = new Set([
  ...blocks.slice(2),
  ...more,
  ...lists,
  ...['center', 'details', 'dialog', 'dir', 'fieldset', 'form', 'listing', 'plaintext', 'summary', 'xmp'],
])

/** A paragraph outside of these stays open. */
export const paragraphScopes: ReadonlySet<string> = new Set([
  ...['table', 'td', 'th', 'caption', 'html', 'button', 'template', 'object', 'marquee', 'applet'],
])

const description = ['dt', 'dd']
const cell = ['td', 'th']
const row = [...cell, 'tr']
const rowGroup = [...row, 'thead', 'tbody', 'tfoot']

/** Elements that the start tag of another one ends, if they are innermost, also with an open paragraph in them. */
export const endedByStart: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['li', ['li']],
  ['dt', description],
  ['dd', description],
  ['td', cell],
  ['th', cell],
  ['tr', row],
  ['thead', rowGroup],
  ['tbody', rowGroup],
  ['tfoot', rowGroup],
])

export const voidElements: ReadonlySet<string> = new Set([
  'br',
  'hr',
  'img',
  'wbr',
  'meta',
  'link',
  'base',
  'input',
  'col',
])

const globalAttributes = new Set(['class', 'id', 'style', 'lang', 'dir', 'title', 'role', 'hidden'])

const ownAttributes: Record<string, string[]> = {
  a: ['href', 'rel', 'target'],
  img: ['src', 'alt', 'width', 'height'],
  td: ['colspan', 'rowspan', 'headers', 'scope'],
  th: ['colspan', 'rowspan', 'headers', 'scope', 'abbr'],
  ol: ['start', 'type'],
  li: ['value'],
  time: ['datetime'],
  data: ['value'],
  del: ['cite', 'datetime'],
  ins: ['cite', 'datetime'],
  q: ['cite'],
  blockquote: ['cite'],
  label: ['for'],
  html: ['xmlns'],
  meta: ['charset', 'name', 'content', 'http-equiv', 'property'],
  style: ['type', 'media'],
}

/** Undefined if the attribute is supported; otherwise the reason and the fix. */
export function attributeProblem(element: string, name: string): string | undefined {
  if (globalAttributes.has(name) || /^(data|aria)-/.test(name)) return undefined
  if (ownAttributes[element]?.includes(name)) return undefined
  if (/^on/.test(name)) return 'An image runs no scripts: remove it.'
  if (name === 'srcset' || name === 'sizes') return 'Use src with one connected node.'
  if (['align', 'valign', 'bgcolor', 'border', 'cellpadding', 'cellspacing', 'width', 'height', 'color'].includes(name))
    return 'Use CSS.'
  return 'Remove it.'
}
