/** The styles of elements without CSS, as in browsers (HTML, 15.3), except that `body` has no margin. */

const block = { display: 'block' }
const bold = { fontWeight: 'bold' }
const italic = { fontStyle: 'italic' }
const underlined = { textDecoration: 'underline' }
const struck = { textDecoration: 'line-through' }
const mono = { fontFamily: '"JetBrains Mono"', fontSize: '0.8125em' }
const indented = { ...block, marginTop: '1em', marginBottom: '1em', marginLeft: '40px', marginRight: '40px' }
const list = { ...block, marginTop: '1em', marginBottom: '1em', paddingInlineStart: '40px' }
const heading = (fontSize: string, margin: string) => ({
  ...block,
  ...bold,
  fontSize,
  marginTop: margin,
  marginBottom: margin,
})
const blocks = [
  'div',
  'figcaption',
  'article',
  'aside',
  'footer',
  'header',
  'hgroup',
  'main',
  'nav',
  'section',
  'search',
  'dt',
]

/** Variables of `::before` and `::after`. `style-sheet.ts` adds them to each declaration of `content`. */
export const contentLineHeight = '--tintype-content-line-height'
export const contentOverflow = '--tintype-content-overflow'

/** Variables of elements whose lines are cut. `style-sheet.ts` adds them to each declaration of `line-clamp` and `text-overflow`. */
export const clampedLines = '--tintype-clamped-lines'
export const cutSide = '--tintype-cut-side'

/** Variable of header cells, which are centred only if nothing around them is aligned. `style-sheet.ts` adds it to each `text-align`. */
export const headerAlign = '--tintype-header-align'

/**
 * Variable of elements with a background image: the renderer clips the image to the box only if the box has rounded corners, even
 * invisible ones. `style-sheet.ts` adds it to each background with an image.
 */
export const clippingRadius = '--tintype-clipping-radius'
export const invisibleRadius = '0.01px'

/**
 * The first style sheet: in the renderer, elements have borders and padding inside of their size, unless a style sheet
 * says otherwise.
 */
export const defaultSheet = [
  `*,*::before,*::after{${clippingRadius}:0;border-radius:var(${clippingRadius})}`,
  '*,*::before,*::after{box-sizing:content-box}table{box-sizing:border-box}',
  `th{text-align:var(${headerAlign},center)}`,
  `*::before,*::after{line-height:var(${contentLineHeight},inherit);overflow:var(${contentOverflow},visible)}`,
].join('')

/** Styles in the names of the renderer. */
export const defaultStyles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...Object.fromEntries(blocks.map((name) => [name, block])),
  html: { ...block, fontFamily: 'Inter', fontSize: '16px', width: '100%' },
  body: { ...block, margin: '0' },
  p: { ...block, marginTop: '1em', marginBottom: '1em' },
  blockquote: indented,
  figure: indented,
  address: { ...block, ...italic },
  hr: { ...block, marginTop: '0.5em', marginBottom: '0.5em', border: '1px solid gray' },
  h1: heading('2em', '0.67em'),
  h2: heading('1.5em', '0.83em'),
  h3: heading('1.17em', '1em'),
  h4: heading('1em', '1.33em'),
  h5: heading('0.83em', '1.67em'),
  h6: heading('0.67em', '2.33em'),
  ul: { ...list, listStyleType: 'disc' },
  menu: { ...list, listStyleType: 'disc' },
  ol: { ...list, listStyleType: 'decimal' },
  li: { display: 'list-item' },
  dl: { ...block, marginTop: '1em', marginBottom: '1em' },
  dd: { ...block, marginLeft: '40px' },
  b: { fontWeight: 'bolder' },
  strong: { fontWeight: 'bolder' },
  i: italic,
  em: italic,
  cite: italic,
  dfn: italic,
  var: italic,
  u: underlined,
  ins: underlined,
  s: struck,
  del: struck,
  code: mono,
  kbd: mono,
  samp: mono,
  pre: { ...block, ...mono, whiteSpace: 'pre', marginTop: '1em', marginBottom: '1em' },
  br: { whiteSpace: 'pre' },
  mark: { backgroundColor: 'yellow', color: 'black' },
  big: { fontSize: 'larger' },
  small: { fontSize: 'smaller' },
  sub: { fontSize: 'smaller', verticalAlign: 'sub' },
  sup: { fontSize: 'smaller', verticalAlign: 'super' },
  table: {
    ...{ display: 'table', boxSizing: 'border-box', borderCollapse: 'separate', borderSpacing: '2px', textIndent: '0' },
  },
  caption: { display: 'table-caption', textAlign: 'center' },
  thead: { display: 'table-header-group', verticalAlign: 'middle' },
  tbody: { display: 'table-row-group', verticalAlign: 'middle' },
  tfoot: { display: 'table-footer-group', verticalAlign: 'middle' },
  tr: { display: 'table-row' },
  td: { display: 'table-cell', padding: '1px', verticalAlign: 'middle' },
  th: { display: 'table-cell', padding: '1px', verticalAlign: 'middle', fontWeight: 'bold' },
}

/** Style of `a` with `href`. */
export const linkStyle = { color: '#0000ee', textDecoration: 'underline' }

/** Numberings of `ol`, by its attribute `type`. */
export const numberings: ReadonlyMap<string, string> = new Map([
  ['1', 'decimal'],
  ['a', 'lower-alpha'],
  ['A', 'upper-alpha'],
  ['i', 'lower-roman'],
  ['I', 'upper-roman'],
])
