/**
 * The CSS properties that the operation `html` supports: the documentation, the check of a workflow and a test for each property are
 * derived from this table. A property that isn't listed is rejected when the workflow is saved.
 */

/** Markup in which a property makes a visible difference: `samples.ts`. */
export type Sample =
  | 'box'
  | 'boxes'
  | 'text'
  | 'words'
  | 'flex'
  | 'item'
  | 'wrapped'
  | 'grid'
  | 'cell'
  | 'image'
  | 'table'
  | 'list'
  | 'layer'
  | 'inline'
  | 'before'

export interface Property {
  sample: Sample
  /** Declarations for the element with the class `x`: the first one is of this property. */
  use: string
  /** Keywords of CSS that are not supported. */
  except?: string[]
}

export interface PropertyGroup {
  title: string
  properties: Record<string, Property>
}

const p = (sample: Sample, use: string, ...except: string[]): Property => ({
  sample,
  use,
  ...(except.length > 0 && { except }),
})
const sides = (name: string, sample: Sample, value: string) =>
  Object.fromEntries(['top', 'right', 'bottom', 'left'].map((side) => [`${name}-${side}`, p(sample, value)]))
const overflow = ['scroll', 'auto']
const sizes = ['min-content', 'max-content', 'fit-content', 'stretch']

export const propertyGroups: PropertyGroup[] = [
  {
    title: 'Layout',
    properties: {
      display: p(
        'boxes',
        'flex',
        ...['run-in', 'flow', 'ruby', 'table-column-group', 'table-column', 'ruby-base', 'ruby-text'],
        ...['ruby-base-container', 'ruby-text-container', 'contents'],
      ),
      position: p('layer', 'absolute; left: 30px; top: 20px', 'sticky', '-webkit-sticky'),
      inset: p('layer', '10px 20px; position: absolute; width: auto; height: auto'),
      'inset-block': p('layer', '10px; position: absolute; height: auto'),
      'inset-inline': p('layer', '20px; position: absolute; width: auto'),
      top: p('layer', '20px; position: relative'),
      right: p('layer', '10px; position: absolute'),
      bottom: p('layer', '5px; position: absolute'),
      left: p('layer', '20px; position: relative'),
      'z-index': p('layer', '-1; position: relative; margin-top: -20px'),
      overflow: p('box', 'hidden', ...overflow),
      'overflow-x': p('box', 'hidden', ...overflow),
      'overflow-y': p('box', 'hidden', ...overflow),
      visibility: p('box', 'hidden', 'collapse'),
      direction: p('words', 'rtl'),
    },
  },
  {
    title: 'Size and spacing',
    properties: {
      width: p('box', '80px'),
      height: p('box', '60px'),
      'min-width': p('box', '80px', ...sizes),
      'min-height': p('box', '60px', ...sizes),
      'max-width': p('box', '20px', ...sizes),
      'max-height': p('box', '10px', ...sizes),
      'aspect-ratio': p('box', '2 / 1; height: auto'),
      'box-sizing': p('box', 'border-box; padding: 10px'),
      margin: p('boxes', '10px 20px'),
      ...sides('margin', 'boxes', '10px'),
      'margin-block': p('boxes', '10px'),
      'margin-inline': p('boxes', '10px auto'),
      'margin-inline-start': p('boxes', '10px'),
      'margin-inline-end': p('boxes', '60px'),
      padding: p('box', '5px 10px'),
      ...sides('padding', 'box', '10px'),
      'padding-block': p('box', '10px'),
      'padding-inline': p('box', '10px'),
      'padding-inline-start': p('box', '10px'),
      'padding-inline-end': p('box', '10px'),
    },
  },
  {
    title: 'Flexbox and grid',
    properties: {
      'flex-direction': p('flex', 'column'),
      'flex-wrap': p('wrapped', 'wrap'),
      'flex-flow': p('wrapped', 'row wrap'),
      flex: p('item', '1'),
      'flex-grow': p('item', '1'),
      'flex-shrink': p('item', '0; width: 150px'),
      'flex-basis': p('item', '60px'),
      order: p('item', '-1'),
      gap: p('flex', '10px'),
      'row-gap': p('wrapped', '10px; flex-wrap: wrap'),
      'column-gap': p('flex', '10px'),
      'justify-content': p('flex', 'space-between', 'left', 'right'),
      'justify-items': p('grid', 'end', 'left', 'right', 'legacy', 'anchor-center'),
      'justify-self': p('cell', 'center', 'left', 'right', 'anchor-center'),
      'align-content': p('wrapped', 'center; flex-wrap: wrap', 'baseline'),
      'align-items': p('flex', 'center', 'anchor-center'),
      'align-self': p('item', 'flex-end', 'anchor-center'),
      'place-content': p('grid', 'center', 'baseline', 'left', 'right'),
      'place-items': p('grid', 'center', 'anchor-center', 'left', 'right', 'legacy'),
      'place-self': p('cell', 'center', 'anchor-center', 'left', 'right'),
      'grid-template-columns': p('grid', '1fr 2fr'),
      'grid-template-rows': p('grid', '50px 1fr'),
      'grid-auto-columns': p('grid', '20px; grid-auto-flow: column; grid-template-columns: none'),
      'grid-auto-rows': p('grid', '15px; grid-template-rows: none'),
      'grid-auto-flow': p('grid', 'column'),
      'grid-area': p('cell', '2 / 1 / 3 / 3'),
      'grid-column': p('cell', '1 / span 2'),
      'grid-column-start': p('cell', '3'),
      'grid-column-end': p('cell', 'span 2'),
      'grid-row': p('cell', '2'),
      'grid-row-start': p('cell', '2'),
      'grid-row-end': p('cell', 'span 2'),
    },
  },
  {
    title: 'Text',
    properties: {
      color: p('text', 'crimson'),
      'font-family': p('text', '"Playfair Display"'),
      'font-size': p('text', '24px', 'math'),
      'font-weight': p('text', 'bold'),
      'font-style': p('text', 'italic'),
      'font-variant-caps': p('text', 'small-caps'),
      'font-variant-numeric': p('text', 'tabular-nums'),
      'font-feature-settings': p('text', '"tnum"', 'on', 'off'),
      'font-kerning': p('words', 'none; font-size: 30px'),
      'line-height': p('words', '2'),
      'letter-spacing': p('text', '3px'),
      'word-spacing': p('text', '10px'),
      'text-align': p('words', 'center', 'match-parent'),
      'text-indent': p('words', '30px'),
      'text-transform': p('text', 'uppercase', 'full-width', 'full-size-kana', 'math-auto'),
      'text-decoration': p('text', 'underline', 'blink', 'spelling-error', 'grammar-error'),
      'text-decoration-line': p('text', 'line-through', 'blink', 'spelling-error', 'grammar-error'),
      'text-decoration-color': p('text', 'red; text-decoration-line: underline'),
      'text-decoration-style': p('text', 'wavy; text-decoration-line: underline'),
      'text-decoration-thickness': p('text', '4px; text-decoration-line: underline'),
      'text-decoration-skip-ink': p('text', 'none; text-decoration-line: underline', 'all'),
      'text-underline-offset': p('text', '6px; text-decoration-line: underline'),
      'text-shadow': p('text', '2px 2px 3px tomato'),
      'text-overflow': p('text', 'ellipsis; overflow: hidden; white-space: nowrap; width: 60px'),
      'text-wrap': p('words', 'nowrap', 'stable'),
      'text-wrap-mode': p('words', 'nowrap'),
      'text-wrap-style': p('words', 'balance; width: 150px', 'stable'),
      'white-space': p('words', 'pre', 'break-spaces'),
      'white-space-collapse': p('words', 'preserve', 'break-spaces'),
      'word-break': p('words', 'break-all; width: 50px', 'auto-phrase'),
      'overflow-wrap': p('words', 'anywhere; width: 30px'),
      'line-clamp': p('words', '2; overflow: hidden'),
      'vertical-align': p('inline', 'super'),
      '-webkit-line-clamp': p('words', '2; display: -webkit-box; -webkit-box-orient: vertical; overflow: hidden'),
      '-webkit-text-fill-color': p('text', 'teal'),
      '-webkit-text-stroke': p('text', '1px red; font-size: 30px'),
      '-webkit-text-stroke-color': p('text', 'red; -webkit-text-stroke-width: 1px; font-size: 30px'),
      '-webkit-text-stroke-width': p('text', '2px; font-size: 30px'),
    },
  },
  {
    title: 'Backgrounds and borders',
    properties: {
      background: p('box', 'linear-gradient(45deg, gold, tomato)', 'scroll', 'fixed', 'local'),
      'background-color': p('box', 'gold'),
      'background-image': p('box', 'radial-gradient(circle, gold, tomato)'),
      'background-position': p('box', '10px 5px; background-image: url(node:photo); background-repeat: no-repeat'),
      'background-size': p('box', 'cover; background-image: url(node:photo)'),
      'background-repeat': p('box', 'no-repeat; background-image: url(node:photo); background-size: 10px'),
      'background-clip': p('box', 'content-box; padding: 10px'),
      'background-blend-mode': p('box', 'multiply; background: url(node:photo) gold'),
      '-webkit-background-clip': p(
        'text',
        'text; background-image: linear-gradient(gold, red); color: transparent',
        'border',
        'padding',
        'content',
      ),
      border: p('box', '3px solid tomato'),
      ...sides('border', 'box', '3px dashed tomato'),
      'border-width': p('box', '2px 6px; border-style: solid'),
      'border-style': p('box', 'double; border-width: 6px'),
      'border-color': p('box', 'gold tomato; border-style: solid'),
      ...Object.fromEntries(
        ['top', 'right', 'bottom', 'left'].flatMap((side) => [
          [`border-${side}-width`, p('box', '5px; border-style: solid')],
          [`border-${side}-style`, p('box', 'dotted; border-width: 4px')],
          [`border-${side}-color`, p('box', 'gold; border-style: solid')],
        ]),
      ),
      'border-radius': p('box', '10px / 20px'),
      'border-top-left-radius': p('box', '15px'),
      'border-top-right-radius': p('box', '15px'),
      'border-bottom-left-radius': p('box', '15px'),
      'border-bottom-right-radius': p('box', '15px'),
      outline: p('box', '3px solid tomato', 'auto'),
      'outline-width': p('box', '5px; outline-style: solid'),
      'outline-style': p('box', 'dashed; outline-width: 3px', 'auto'),
      'outline-color': p('box', 'gold; outline-style: solid', 'auto'),
      'outline-offset': p('box', '4px; outline: 2px solid tomato'),
      'box-shadow': p('box', '4px 4px 8px 2px #0008, inset 0 0 4px gold'),
      'box-decoration-break': p('inline', 'clone; background: gold; padding: 0 8px; border-radius: 8px'),
    },
  },
  {
    title: 'Images and effects',
    properties: {
      'object-fit': p('image', 'cover'),
      'object-position': p('image', 'top; object-fit: cover'),
      'image-rendering': p('image', 'pixelated', 'crisp-edges', 'optimizespeed', 'optimizequality'),
      opacity: p('box', '.5'),
      filter: p('image', 'sepia(1) blur(1px)'),
      'backdrop-filter': p('layer', 'invert(1); background: #fff4; position: relative; margin-top: -20px'),
      'mix-blend-mode': p('layer', 'multiply; position: relative; margin-top: -20px'),
      'clip-path': p(
        'box',
        'circle(15px)',
        ...['content-box', 'padding-box', 'border-box', 'margin-box', 'fill-box', 'stroke-box', 'view-box'],
      ),
      mask: p(
        'box',
        'linear-gradient(to right, black, transparent)',
        ...['margin-box', 'fill-box', 'stroke-box', 'view-box', 'no-clip', 'add', 'subtract', 'intersect', 'exclude'],
        ...['alpha', 'luminance', 'match-source'],
      ),
      'mask-image': p('box', 'radial-gradient(black, transparent)'),
      'mask-size': p('box', '10px 10px; mask-image: radial-gradient(black 50%, transparent 50%)'),
      'mask-position': p('box', '10px 0; mask-image: linear-gradient(black, black); mask-repeat: no-repeat'),
      'mask-repeat': p('box', 'no-repeat; mask-image: linear-gradient(black, black); mask-size: 10px'),
      transform: p('box', 'rotate(20deg) scale(.8)'),
      'transform-origin': p('box', 'top left; transform: rotate(20deg)'),
      translate: p('box', '20px 10px'),
      rotate: p('box', '30deg'),
      scale: p('box', '1.5'),
    },
  },
  {
    title: 'Tables and lists',
    properties: {
      'border-collapse': p('table', 'collapse'),
      'border-spacing': p('table', '8px'),
      'table-layout': p('table', 'fixed; width: 100px'),
      'caption-side': p('table', 'bottom'),
      'list-style': p('list', 'square inside'),
      'list-style-type': p('list', 'upper-roman'),
      'list-style-position': p('list', 'inside'),
      content: p('before', '"★ "', ...['contents', 'open-quote', 'close-quote', 'no-open-quote', 'no-close-quote']),
    },
  },
]

export const properties: ReadonlyMap<string, Property> = new Map(
  propertyGroups.flatMap(({ properties }) => Object.entries(properties)),
)

/** The renderer ignores `!important` after these, which are shorthands or have several parts. */
export const withoutImportant: ReadonlySet<string> = new Set([
  ...['inset-block', 'inset-inline', 'overflow', 'margin-block', 'padding-block', 'padding-inline', 'flex-flow', 'gap'],
  ...['place-content', 'place-items', 'place-self', 'grid-template-columns', 'grid-template-rows', 'grid-auto-columns'],
  ...['grid-auto-rows', 'grid-auto-flow', 'grid-area', 'font-family', 'font-variant-numeric', 'font-feature-settings'],
  ...['text-indent', 'text-decoration', 'text-shadow', 'text-wrap', 'line-clamp', '-webkit-line-clamp', 'background'],
  ...['border', 'border-top', 'border-right', 'border-bottom', 'border-left', 'border-top-left-radius'],
  ...['border-top-right-radius', 'border-bottom-left-radius', 'border-bottom-right-radius', 'outline', 'box-shadow'],
  ...['filter', 'backdrop-filter', 'mask', 'transform', 'scale', 'border-spacing', 'list-style', 'content'],
])

/** Accepted without effect, because an image doesn't move, scroll or react, and has one page. */
export const withoutEffect: ReadonlySet<string> = new Set([
  '-moz-osx-font-smoothing',
  // Part of the usual way to clamp lines.
  '-webkit-box-orient',
  '-webkit-font-smoothing',
  '-webkit-print-color-adjust',
  '-webkit-tap-highlight-color',
  '-webkit-text-size-adjust',
  'appearance',
  'break-after',
  'break-before',
  'break-inside',
  'caret-color',
  'color-scheme',
  'cursor',
  'orphans',
  'page-break-after',
  'page-break-before',
  'page-break-inside',
  'pointer-events',
  'print-color-adjust',
  'resize',
  'scroll-behavior',
  'text-rendering',
  'text-size-adjust',
  'touch-action',
  'transition',
  'transition-delay',
  'transition-duration',
  'transition-property',
  'transition-timing-function',
  'user-select',
  '-webkit-user-select',
  'widows',
  'will-change',
])

/** Values that the renderer accepts only in another form. In a box that clamps its lines, it clamps only those of a block. */
export const otherForms: ReadonlyMap<string, string> = new Map([
  ['letter-spacing normal', '0'],
  ['word-spacing normal', '0'],
  ['align-self auto', 'initial'],
  ['justify-self auto', 'initial'],
  ['place-self auto', 'initial'],
  ['translate none', '0'],
  ['display -webkit-box', 'block'],
])

/** Fixes for properties that are not supported. */
export const alternatives: ReadonlyMap<string, string> = new Map([
  ['animation', 'The image is still: remove it, and set the final values.'],
  ['float', 'Use flexbox or grid.'],
  ['clear', 'Use flexbox or grid.'],
  ['font', 'Use font-size, font-weight, font-style, line-height and font-family.'],
  ['grid-template-areas', 'Use grid-column and grid-row with numbers, such as `1 / 3`.'],
  ['grid-template', 'Use grid-template-columns and grid-template-rows.'],
  ['grid', 'Use grid-template-columns and grid-template-rows.'],
  ['columns', 'Use a grid with grid-template-columns.'],
  ['column-count', 'Use a grid with grid-template-columns.'],
  ['background-position-x', 'Use background-position.'],
  ['background-position-y', 'Use background-position.'],
  ['inline-size', 'Use width.'],
  ['block-size', 'Use height.'],
  ['writing-mode', 'Rotate the element with `rotate: 90deg`.'],
  ['zoom', 'Use `scale`.'],
  ['all', 'Set each property.'],
])
