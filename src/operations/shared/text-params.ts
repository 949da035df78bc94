/** The params of the operation `text`, in a separate file because of its length. */
import Type from 'typebox'
import { families } from '../../imaging/vector/families.ts'
import { languages } from '../../imaging/vector/han.ts'
import { missingGlyphsPolicies } from '../../imaging/vector/missing-glyphs.ts'
import { transforms } from '../../imaging/vector/prepare-text.ts'
import { backgroundShapes } from '../../imaging/vector/text-style.ts'
import { limits } from '../../limits.ts'
import { color, pixels } from './params.ts'

const position = { minimum: -limits.sidePixelsMax, maximum: limits.sidePixelsMax, default: 0, 'x-unit': 'px' }

/** Offset of a shadow. */
const offset = { minimum: -1_000, maximum: 1_000, default: 0, 'x-unit': 'px' }

export const textParams = Type.Object(
  {
    text: Type.String({
      maxLength: limits.textCharsMax,
      title: 'Text',
      description: 'Text to draw. Line breaks are kept; long lines are wrapped.',
      'x-widget': 'textarea',
    }),
    box: Type.Optional(
      Type.Object(
        {
          x: Type.Integer({ ...position, title: 'Left', description: 'Left edge of the box in the image.' }),
          y: Type.Integer({ ...position, title: 'Top', description: 'Top edge of the box in the image.' }),
          width: pixels({ minimum: 1, title: 'Width', description: 'Width of the box; lines wrap at it.' }),
          height: pixels({ minimum: 1, title: 'Height', description: 'Height of the box.' }),
        },
        {
          additionalProperties: false,
          title: 'Box',
          description:
            'Area of the text. Default: the entire image; without an image, the size of the text. Without an image, the box is the result, and `x` and `y` are ignored.',
        },
      ),
    ),
    markup: Type.Boolean({
      default: false,
      title: 'Markup',
      description:
        'Interpret the text as markup, a strict subset of Pango markup: `<b>`, `<i>`, `<u>`, `<s>`, and `<span>` with `color`, `background`, `weight`, `size` (such as `120%`) and `font`. Write `<` and `&` as `&lt;` and `&amp;`; use the Liquid filter `escape` for values from outside.',
    }),
    font: Type.String({
      minLength: 1,
      maxLength: limits.fontFamilyCharsMax,
      default: 'Inter',
      examples: [...families],
      title: 'Font',
      description: `Font family: ${families.join(', ')}, or the family or id of an uploaded font. Missing characters come from other fonts: all scripts that Unicode recommends for general use, and emoji, are always available.`,
    }),
    size: Type.Number({
      minimum: 1,
      maximum: 2_000,
      default: 48,
      title: 'Size',
      description: 'Font size.',
      'x-unit': 'px',
    }),
    fit: Type.Enum(['shrink', 'ellipsis'], {
      default: 'shrink',
      title: 'Fit',
      description:
        'How to handle text that does not fit its box. shrink: reduce the font size; ellipsis: keep the size and cut the text.',
    }),
    weight: Type.Integer({
      minimum: 100,
      maximum: 900,
      multipleOf: 100,
      default: 400,
      title: 'Weight',
      description:
        'Font weight: 100 thin, 400 regular, 700 bold, 900 black. Falls back to the nearest weight of the font.',
    }),
    italic: Type.Boolean({
      default: false,
      title: 'Italic',
      description: 'Use the italic style, if the font has one.',
    }),
    underline: Type.Boolean({
      default: false,
      title: 'Underline',
      description: 'Underline the text, with gaps for descenders.',
      'x-advanced': true,
    }),
    strike: Type.Boolean({
      default: false,
      title: 'Strike',
      description: 'Strike through the text.',
      'x-advanced': true,
    }),
    transform: Type.Enum([...transforms], {
      default: 'none',
      title: 'Transform',
      description: 'Letter case of the text; capitalize: the first letter of each word.',
      'x-advanced': true,
    }),
    color: color({ default: 'black', title: 'Colour', description: 'Colour of the text.' }),
    gradient: Type.Optional(
      Type.Object(
        {
          from: color({ title: 'From', description: 'Colour at the start.' }),
          to: color({ title: 'To', description: 'Colour at the end.' }),
          angle: Type.Number({
            minimum: -360,
            maximum: 360,
            default: 90,
            title: 'Angle',
            description: 'Direction, as in CSS: 0 upwards, 90 to the right, 180 downwards.',
            'x-unit': 'deg',
          }),
        },
        {
          additionalProperties: false,
          title: 'Gradient',
          description: 'Fill the text with a gradient of two colours instead of `color`.',
        },
      ),
    ),
    align: Type.Enum(['left', 'center', 'right', 'justify'], {
      default: 'left',
      title: 'Align',
      description:
        'Horizontal alignment of the lines. justify: fill the width of the box, except for the last line of a paragraph.',
    }),
    verticalAlign: Type.Enum(['top', 'middle', 'bottom'], {
      default: 'top',
      title: 'Vertical align',
      description: 'Vertical alignment of the text in the box.',
    }),
    direction: Type.Enum(['auto', 'ltr', 'rtl'], {
      default: 'auto',
      title: 'Direction',
      description:
        'Reading direction of a paragraph. auto: from its first letter with a direction. It does not align the lines: see `align`.',
      'x-advanced': true,
    }),
    language: Type.Enum([...languages], {
      default: 'auto',
      title: 'Language',
      description:
        'Language variant of characters that Chinese, Japanese and Korean share. auto: detected from the rest of the text.',
      'x-advanced': true,
    }),
    missingGlyphs: Type.Enum([...missingGlyphsPolicies], {
      default: 'warn',
      title: 'Missing glyphs',
      description:
        'How to handle characters that no font has. warn: draw a box, and add a warning to the step and the execution; error: fail the execution.',
      'x-advanced': true,
    }),
    linesMax: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        title: 'Maximum lines',
        description:
          'Maximum number of lines. Longer text is cut with an ellipsis, or shrunk if `fit` is shrink and there is a box.',
        'x-advanced': true,
      }),
    ),
    balance: Type.Boolean({
      default: false,
      title: 'Balance',
      description: 'Balance the lines to similar widths without adding lines; suitable for headlines.',
      'x-advanced': true,
    }),
    lineHeight: Type.Number({
      minimum: 0.5,
      maximum: 4,
      default: 1.2,
      title: 'Line height',
      description: 'Line height, as a multiple of the font size.',
    }),
    letterSpacing: Type.Number({
      minimum: -0.5,
      maximum: 4,
      default: 0,
      title: 'Letter spacing',
      description: 'Space between characters, as a multiple of the font size.',
      'x-advanced': true,
    }),
    outlineWidth: Type.Number({
      minimum: 0,
      maximum: 100,
      default: 0,
      title: 'Outline width',
      description: 'Width of the outline of each character; 0 for none.',
      'x-unit': 'px',
      'x-advanced': true,
    }),
    outlineColor: color({
      default: 'black',
      title: 'Outline colour',
      description: 'Colour of the outline.',
    }),
    shadow: Type.Optional(
      Type.Object(
        {
          x: Type.Integer({
            ...offset,
            title: 'Horizontal offset',
            description: 'Horizontal offset; negative values move the shadow to the left.',
          }),
          y: Type.Integer({
            ...offset,
            title: 'Down',
            description: 'Vertical offset; negative values move the shadow up.',
          }),
          blur: Type.Number({
            minimum: 0,
            maximum: 200,
            default: 0,
            title: 'Blur',
            description: 'Blur radius, as in CSS: twice the standard deviation. 0 is a hard edge.',
            'x-unit': 'px',
          }),
          color: color({ default: '#0008', title: 'Colour', description: 'Colour of the shadow.' }),
        },
        {
          additionalProperties: false,
          title: 'Shadow',
          description: 'Shadow of the characters and their outline.',
        },
      ),
    ),
    background: Type.Optional(
      Type.Object(
        {
          color: color({ default: 'white', title: 'Colour', description: 'Colour of the background.' }),
          padding: pixels({
            maximum: 1_000,
            default: 0,
            title: 'Padding',
            description: 'Space between the text and the edge of the background, inside the text box.',
          }),
          radius: pixels({ default: 0, title: 'Radius', description: 'Corner radius.' }),
          per: Type.Enum([...backgroundShapes], {
            default: 'text',
            title: 'Per',
            description:
              'Shape of the background. text: one for all lines; line: one for each line, as wide as the line; box: the entire box.',
          }),
        },
        { additionalProperties: false, title: 'Background', description: 'Background behind the text.' },
      ),
    ),
  },
  { additionalProperties: false },
)
