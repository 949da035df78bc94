/** CSS of an SVG for librsvg: rewritten where librsvg differs from browsers, and the features that it doesn't draw. */
import { type Atrule, type CssNode, generate, parse, walk } from 'css-tree/dist/csstree.esm'

export type Part = 'stylesheet' | 'declarationList' | 'value'

/** `drawn`: for librsvg. `missing`: names of features, such as `var()`. */
export interface SvgCss {
  drawn: string
  missing: string[]
}

/** The values of custom properties that the root defines. The count is of all definitions in the file. */
export interface Variables {
  values: Map<string, string>
  counts: ReadonlyMap<string, number>
}

interface Edit {
  start: number
  end: number
  text: string
}

export function variablesOf(svg: string): Variables {
  const counts = new Map<string, number>()
  for (const [, name = ''] of svg.matchAll(/(?<![\w-])(--[\w-]+)\s*:/g)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return { values: new Map(), counts }
}

/** `property`: of a value, which is the one of an attribute. */
export function svgCss(text: string, context: Part, variables: Variables, property = ''): SvgCss {
  if (context === 'stylesheet') addVariables(text, variables)
  const plain = withVariables(text, variables)
  const missing = new Set<string>()
  const edits: Edit[] = []
  const tree = parse(plain, { context, positions: true, parseCustomProperty: false, onParseError: () => undefined })
  if (context === 'value') checkValue(tree, property, missing, edits)
  walk(tree, {
    enter(this: { skip: symbol }, node: CssNode) {
      if (node.type === 'Atrule') return readAtRule(node, missing, edits) ? undefined : this.skip
      if (node.type === 'Rule' && node.block.children.some(isNested)) missing.add('nested rules')
      if (node.type === 'PseudoClassSelector' && !pseudoClasses.has(node.name.toLowerCase()))
        missing.add(`:${node.name}`)
      if (node.type === 'Nth' && node.selector !== null) missing.add('"of" in :nth-child()')
      if (node.type === 'Declaration' && !node.property.startsWith('--')) {
        const name = node.property.toLowerCase()
        if (undrawn.test(name)) missing.add(name)
        checkValue(node.value, name, missing, edits)
      }
      return undefined
    },
  })
  return { drawn: applied(plain, edits), missing: [...missing] }
}

/** The parser doesn't read rules in rules that start with a type. */
function isNested(node: CssNode): boolean {
  return node.type === 'Rule' || (node.type === 'Raw' && node.value.includes('{'))
}

/** Whether the rules in it are applied. Those of media that apply to an image lose their condition. */
function readAtRule({ name, prelude, block, loc }: Atrule, missing: Set<string>, edits: Edit[]): boolean {
  const rule = name.toLowerCase()
  if (/^(charset|namespace|keyframes|-\w+-keyframes|page|property)$/.test(rule)) return false
  const condition = prelude ? generate(prelude) : ''
  if (rule !== 'media' || !loc || !block?.loc) {
    missing.add(`@${rule}`)
    return false
  }
  if (neverMedia.test(condition)) return false
  if (!alwaysMedia.test(condition)) {
    missing.add('@media')
    return false
  }
  edits.push(
    { start: loc.start.offset, end: block.loc.start.offset + 1, text: '' },
    { start: block.loc.end.offset - 1, end: block.loc.end.offset, text: '' },
  )
  return true
}

const alwaysMedia =
  /^(only )?(all|screen)?( ?and ?)?(\((prefers-color-scheme:light|prefers-reduced-motion:no-preference)\))?$/i
const neverMedia =
  /^(only )?((print|speech)\b[^,]*|((all|screen) ?and ?)?\((prefers-color-scheme:dark|prefers-reduced-motion:reduce)\))$/i

/** Names that librsvg knows. States never match an image, here and in browsers. */
const pseudoClasses = new Set([
  ...['root', 'first-child', 'last-child', 'only-child', 'nth-child', 'nth-last-child', 'empty', 'not', 'lang'],
  ...['first-of-type', 'last-of-type', 'only-of-type', 'nth-of-type', 'nth-last-of-type', 'link', 'visited'],
  ...['hover', 'active', 'focus', 'focus-within', 'focus-visible', 'target', 'checked', 'disabled', 'enabled'],
])

/** Properties that browsers draw and librsvg doesn't: tested with each (svg-css.test.ts). */
const undrawn =
  /^(-webkit-)?(transform-origin|transform-box|rotate|translate|scale|offset(-.+)?|background(-color|-image)?|border(-(top|right|bottom|left|color|style|width|radius))?|box-shadow|text-shadow|text-transform|d|mask-image|animation(-name)?|all|alignment-baseline|baseline-shift|word-spacing|white-space|color-interpolation)$/

const functions = new Set([
  ...['url', 'rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'local', 'format', 'icc-color'],
  ...[
    'matrix',
    'translate',
    'translatex',
    'translatey',
    'scale',
    'scalex',
    'scaley',
    'rotate',
    'skewx',
    'skewy',
    'skew',
  ],
  ...[
    'blur',
    'brightness',
    'contrast',
    'drop-shadow',
    'grayscale',
    'hue-rotate',
    'invert',
    'opacity',
    'saturate',
    'sepia',
  ],
])

/** Pixels of a unit (CSS Values 4, 6.2). librsvg has 72 of them for an inch in our use, and no `rem`. */
const pixelsOf: Record<string, number> = {
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
  rem: 16,
}
const units = /^(px|em|ex|%|deg|rad|grad|turn|s|ms|hz|khz|dpi|dpcm|dppx)$/

/** Sizes of keywords (CSS Fonts 4, 2.5). librsvg has a `medium` of 12. */
const fontSizes: Record<string, number> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
}

function checkValue(value: CssNode, property: string, missing: Set<string>, edits: Edit[]): void {
  walk(value, (node) => {
    if (!node.loc) return
    const [start, end] = [node.loc.start.offset, node.loc.end.offset]
    if (node.type === 'Function') {
      const name = node.name.toLowerCase()
      if (!functions.has(name)) missing.add(`${name}()`)
    } else if (node.type === 'Dimension') {
      const unit = node.unit.toLowerCase()
      const factor = pixelsOf[unit]
      if (factor !== undefined) edits.push({ start, end, text: `${Number(node.value) * factor}px` })
      else if (!units.test(unit)) missing.add(`the unit ${unit}`)
    } else if (node.type === 'Percentage' && property === 'transform') missing.add('percentages in transform')
    else if (node.type === 'Identifier') {
      const name = node.name.toLowerCase()
      const size = property === 'font-size' ? fontSizes[name] : undefined
      if (size !== undefined) edits.push({ start, end, text: `${size}px` })
      if (undrawnKeywords.has(name)) missing.add(name)
    }
  })
}

/** Keywords of any property, and system colours (CSS Color 4, 6.2). */
const undrawnKeywords = new Set([
  ...['initial', 'unset', 'revert', 'revert-layer', 'canvas', 'canvastext', 'linktext', 'visitedtext', 'activetext'],
  ...['buttonface', 'buttontext', 'buttonborder', 'field', 'fieldtext', 'highlight', 'highlighttext', 'graytext'],
  ...['mark', 'marktext', 'selecteditem', 'selecteditemtext', 'accentcolor', 'accentcolortext'],
])

/** Adds the custom properties of rules for the root. */
function addVariables(css: string, { values }: Variables): void {
  if (!css.includes('--')) return
  walk(parse(css, { parseCustomProperty: false, onParseError: () => undefined }), {
    visit: 'Rule',
    enter({ prelude, block }) {
      if (!/^(:root|svg|\*)$/.test(generate(prelude))) return
      for (const node of block.children.toArray()) {
        if (node.type === 'Declaration' && node.property.startsWith('--'))
          values.set(node.property, generate(node.value).trim())
      }
    },
  })
}

/** Text with the values of variables that are defined once, by the root, or never. */
function withVariables(text: string, { values, counts }: Variables): string {
  let plain = text
  for (let round = 0; round < variableRounds && plain.includes('var('); round += 1) {
    plain = plain.replaceAll(variable, (whole, name: string, fallback: string | undefined) => {
      const count = counts.get(name) ?? 0
      const known = count === 1 ? values.get(name) : count === 0 ? fallback?.trim() : undefined
      return known ?? whole
    })
  }
  return plain
}

const variableRounds = 8
/** A variable with its fallback, which can have functions without other functions in them. */
const variable = /var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)/g

function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, edit.start), edit.text)
    at = edit.end
  }
  return [...parts, text.slice(at)].join('')
}
