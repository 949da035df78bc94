/** Parts of CSS other than properties: the functions, units, selectors and rules that the renderer supports. */

export const functions: ReadonlySet<string> = new Set([
  ...['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color', 'color-mix'],
  ...['calc', 'var', 'url', 'repeat', 'minmax', 'attr'],
  ...['linear-gradient', 'radial-gradient', 'conic-gradient'],
  ...['repeating-linear-gradient', 'repeating-radial-gradient', 'repeating-conic-gradient'],
  ...[
    'translate',
    'translatex',
    'translatey',
    'scale',
    'scalex',
    'scaley',
    'rotate',
    'skew',
    'skewx',
    'skewy',
    'matrix',
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
  ...['inset', 'circle', 'ellipse', 'polygon', 'path'],
])

export const units: ReadonlySet<string> = new Set([
  ...['px', 'em', 'rem', 'lh', 'rlh', 'vw', 'vh', 'vmin', 'vmax', 'cm', 'mm', 'in', 'pt', 'pc', 'q'],
  ...['deg', 'rad', 'turn', 'grad', 'fr', 's', 'ms'],
])

export const keywordsOfAll: readonly string[] = ['inherit', 'initial', 'unset']

/** Pseudo-classes and pseudo-elements. */
export const pseudos: ReadonlySet<string> = new Set([
  ...['root', 'first-child', 'last-child', 'only-child', 'nth-child', 'nth-last-child', 'empty'],
  ...['first-of-type', 'last-of-type', 'only-of-type', 'nth-of-type', 'nth-last-of-type'],
  ...['not', 'is', 'where', 'before', 'after'],
])

export const atRules: ReadonlySet<string> = new Set(['media', 'supports', 'layer'])

/** Why a rule is not supported, and the fix. */
export const atRuleFixes: ReadonlyMap<string, string> = new Map([
  ['import', 'Nothing is loaded: paste the rules here.'],
  ['font-face', 'Upload the font to the account, and name its family in font-family.'],
  ['keyframes', 'The image is still: remove it.'],
  ['page', 'The image has one page: set the params width and height.'],
  ['container', 'Use @media, or set the sizes directly.'],
  ['charset', 'The text is Unicode: remove it.'],
])
