/** The params of the operation `text`: more than fit into its file. */
import Type from 'typebox'
import { families } from '../../imaging/vector/families.ts'
import { languages } from '../../imaging/vector/han.ts'
import { transforms } from '../../imaging/vector/runs.ts'
import { backgroundShapes } from '../../imaging/vector/text-style.ts'
import { limits } from '../../limits.ts'
import { color, pixels } from './params.ts'

const position = { minimum: -limits.sidePixelsMax, maximum: limits.sidePixelsMax, default: 0, 'x-unit': 'px' }

/** Of a shadow. */
const offset = { minimum: -1_000, maximum: 1_000, default: 0, 'x-unit': 'px' }

export const textParams = Type.Object(
  {
    text: Type.String({
      maxLength: limits.textCharsMax,
      title: 'Text',
      description: 'What is written. Line ends are kept; lines that are too long are wrapped.',
      'x-widget': 'textarea',
    }),
    box: Type.Optional(
      Type.Object(
        {
          x: Type.Integer({ ...position, title: 'Left', description: 'Left edge of the box, in the image.' }),
          y: Type.Integer({ ...position, title: 'Top', description: 'Upper edge of the box, in the image.' }),
          width: pixels({ minimum: 1, title: 'Width', description: 'Width of the box; lines are wrapped at it.' }),
          height: pixels({ minimum: 1, title: 'Height', description: 'Height of the box.' }),
        },
        {
          additionalProperties: false,
          title: 'Box',
          description:
            'Where the text goes. Default: the whole image; without an image, as large as the text. Without an image the box is the picture, and x and y say nothing.',
        },
      ),
    ),
    markup: Type.Boolean({
      default: false,
      title: 'Markup',
      description:
        'Whether the text is markup, a strict subset of that of Pango: `<b>`, `<i>`, `<u>`, `<s>`, and `<span>` with `color`, `background`, `weight`, `size` (as `120%`) and `font`. `<` and `&` are written `&lt;` and `&amp;`; for what comes from outside, Liquid has the filter `escape`.',
    }),
    font: Type.String({
      minLength: 1,
      maxLength: limits.fontFamilyCharsMax,
      default: 'Inter',
      examples: [...families],
      title: 'Font',
      description: `Family of the characters: ${families.join(', ')}, or the family or id of an uploaded font. Scripts that it lacks come from other fonts: Arabic, Hebrew, Thai, Devanagari, Chinese, Japanese, Korean and emoji are always there.`,
    }),
    size: Type.Number({
      minimum: 1,
      maximum: 2_000,
      default: 48,
      title: 'Size',
      description: 'Size of the characters.',
      'x-unit': 'px',
    }),
    fit: Type.Enum(['shrink', 'ellipsis'], {
      default: 'shrink',
      title: 'Fit',
      description:
        'When the text does not fit its box. shrink: smaller characters; ellipsis: the size stays, the text is cut.',
    }),
    weight: Type.Integer({
      minimum: 100,
      maximum: 900,
      multipleOf: 100,
      default: 400,
      title: 'Weight',
      description: '100 thin, 400 regular, 700 bold, 900 black; the nearest that the font has.',
    }),
    italic: Type.Boolean({
      default: false,
      title: 'Italic',
      description: 'Slanted characters, where the font has them.',
    }),
    underline: Type.Boolean({
      default: false,
      title: 'Underline',
      description: 'A line below, with gaps where characters reach through it.',
      'x-advanced': true,
    }),
    strike: Type.Boolean({
      default: false,
      title: 'Strike',
      description: 'A line through the characters.',
      'x-advanced': true,
    }),
    transform: Type.Enum([...transforms], {
      default: 'none',
      title: 'Transform',
      description: 'Other letters for the same text; capitalize: the first of each word.',
      'x-advanced': true,
    }),
    color: color({ default: 'black', title: 'Colour', description: 'Colour of the characters.' }),
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
          description: 'Two colours in place of the one, over the text as a whole.',
        },
      ),
    ),
    align: Type.Enum(['left', 'center', 'right', 'justify'], {
      default: 'left',
      title: 'Align',
      description:
        'Where the lines stand in the box. justify: as wide as the box, but for the last line of a paragraph.',
    }),
    verticalAlign: Type.Enum(['top', 'middle', 'bottom'], {
      default: 'top',
      title: 'Vertical align',
      description: 'Where the text as a whole stands in the box.',
    }),
    direction: Type.Enum(['auto', 'ltr', 'rtl'], {
      default: 'auto',
      title: 'Direction',
      description:
        'In which a paragraph is read. auto: by its first letter that has a direction. It does not move lines: see `align`.',
      'x-advanced': true,
    }),
    language: Type.Enum([...languages], {
      default: 'auto',
      title: 'Language',
      description:
        'Whose forms the characters have that Chinese, Japanese and Korean share. auto: by what else is written.',
      'x-advanced': true,
    }),
    linesMax: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        title: 'Most lines',
        description: 'What is more is cut with an ellipsis, or, in a box that shrinks its text, made smaller.',
        'x-advanced': true,
      }),
    ),
    balance: Type.Boolean({
      default: false,
      title: 'Balance',
      description: 'Lines of about one width, as many as there would be anyway: for headlines.',
      'x-advanced': true,
    }),
    lineHeight: Type.Number({
      minimum: 0.5,
      maximum: 4,
      default: 1.2,
      title: 'Line height',
      description: 'From line to line, as a multiple of the size.',
    }),
    letterSpacing: Type.Number({
      minimum: -0.5,
      maximum: 4,
      default: 0,
      title: 'Letter spacing',
      description: 'Added between characters, as a multiple of the size.',
      'x-advanced': true,
    }),
    outlineWidth: Type.Number({
      minimum: 0,
      maximum: 100,
      default: 0,
      title: 'Outline width',
      description: 'Width of a line around each character; 0 for none.',
      'x-unit': 'px',
      'x-advanced': true,
    }),
    outlineColor: color({
      default: 'black',
      title: 'Outline colour',
      description: 'Colour of the line around each character.',
    }),
    shadow: Type.Optional(
      Type.Object(
        {
          x: Type.Integer({ ...offset, title: 'To the right', description: 'How far to the right; left below 0.' }),
          y: Type.Integer({ ...offset, title: 'Down', description: 'How far down; up below 0.' }),
          blur: Type.Number({
            minimum: 0,
            maximum: 200,
            default: 0,
            title: 'Blur',
            description: 'How soft it is; 0 for a sharp one. As in CSS: twice the standard deviation.',
            'x-unit': 'px',
          }),
          color: color({ default: '#0008', title: 'Colour', description: 'Colour of the shadow.' }),
        },
        {
          additionalProperties: false,
          title: 'Shadow',
          description: 'What characters and outline throw behind them.',
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
            description: 'Between the characters and the edge, inside the box of the text.',
          }),
          radius: pixels({ default: 0, title: 'Radius', description: 'Of its corners.' }),
          per: Type.Enum([...backgroundShapes], {
            default: 'text',
            title: 'Per',
            description:
              'text: one shape around all lines; line: each line has its own, as wide as it is; box: the whole box.',
          }),
        },
        { additionalProperties: false, title: 'Background', description: 'A shape behind the text.' },
      ),
    ),
  },
  { additionalProperties: false },
)
