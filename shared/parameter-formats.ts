/** The formats of string parameters, as patterns of JSON Schema: clients check a value with the same patterns as the service. */
import { colorNames } from './color-names.ts'
import { fontFamilyCharsMax, modelNameCharsMax, urlCharsMax } from './limits.ts'

/** Formats of a string in a `schema`. A declaration can have those of `parameterFormats`. */
export const textFormats = ['image', 'color', 'url', 'date', 'multiline', 'font', 'model'] as const
export type TextFormat = (typeof textFormats)[number]

export const parameterFormats = [...textFormats, 'boolean', 'enum', 'json'] as const
export type ParameterFormat = (typeof parameterFormats)[number]

interface TextForm {
  /** The expected value, in messages. */
  expected: string
  /** The value matches one of these. Each character is read once: no pattern repeats a repetition. */
  forms: readonly { pattern: string; maxLength: number }[]
}

/** `img_` and 28 characters: `domain/ids.ts`. */
const imageId = 'img_[0-9a-z]{28}'
export const imageIdPattern = `^${imageId}$`

/** ASCII whitespace. Parsers of URLs remove it at both ends, and remove or encode it inside: WHATWG URL, 4.4. */
const white = '[\\t\\n\\f\\r ]'

const url = `${white}*[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#\\\\]+([/?#][^\\u0000-\\u0008\\u000b\\u000e-\\u001f]*|${white}*)`

const dataUrlStart = `${white}*[Dd][Aa][Tt][Aa]:${white}*image/[A-Za-z0-9][A-Za-z0-9.+-]{0,60}${white}*`
const base64Mark = `;${white}*[Bb][Aa][Ss][Ee]64${white}*,`
/** The separators and characters of base64, also percent-encoded. */
const between = `(${white}|%20|%0[9AaDd])*`
const digit = `([A-Za-z0-9+/]|%2[BbFf])${between}`
const pad = `(=|%3[Dd])${between}`
const base64 = `${between}(${digit}${digit}${digit}${digit})*(${digit}${digit}(${pad}${pad})?|${digit}${digit}${digit}(${pad})?)?`
/** Fetch (WHATWG), "data: URL processor": parameters, forgiving base64, or a percent-encoded text. */
const dataUrlForms = [
  `${dataUrlStart}(;[^,;]{0,100}){0,5}${base64Mark}${base64}`,
  `${dataUrlStart}((?!${base64Mark});[^,;]{0,100}){0,5},[^#]+(#[^#]*)?`,
]
const dataUrl = `(${dataUrlForms.join('|')})`
/** 512 KiB in base64, and the media type. */
export const dataUrlCharsMax = 699_136

const number = '-?\\d{1,3}(\\.\\d{1,6})?'
const alpha = '([01](\\.\\d{1,6})?|\\.\\d{1,6})'
const hue = `${number}(deg)?`
const percent = `${number}%`
/** The arguments with commas, or with spaces and a slash before the alpha value. */
const callOf = (names: string, a: string, b: string, opacity = alpha) =>
  `${names}\\((${a}, ?${b}, ?${b}(, ?${opacity})?|${a} ${b} ${b}( ?/ ?${opacity})?)\\)`
const color = [
  '#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})',
  callOf('rgba?', number, number, `(${alpha}|${percent})`),
  callOf('rgba?', percent, percent, `(${alpha}|${percent})`),
  callOf('hsla?', hue, percent),
  ...colorNames,
].join('|')

/** RFC 3339 `full-date`, with leap years. */
const leapYear = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)'
const date = `(${leapYear}-02-29|[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])))`

/** `multiline` accepts any text: it says only how a form shows the field. */
export const textForms: Record<Exclude<TextFormat, 'multiline'>, TextForm> = {
  image: {
    expected: 'an image: an image id (img_...), an http(s) URL, or a data: URL (base64) of at most 512 KiB',
    forms: [
      { pattern: `^(${imageId}|${url})$`, maxLength: urlCharsMax },
      { pattern: `^${dataUrl}$`, maxLength: dataUrlCharsMax },
    ],
  },
  color: {
    expected: 'a CSS colour such as "#1a2b3c", "rgb(10 20 30 / 50%)" or "white"',
    forms: [{ pattern: `^(${color})$`, maxLength: 100 }],
  },
  url: { expected: 'an http(s) URL', forms: [{ pattern: `^${url}$`, maxLength: urlCharsMax }] },
  date: { expected: 'a date such as "2026-03-31"', forms: [{ pattern: `^${date}$`, maxLength: 10 }] },
  font: {
    expected: 'the family or id of a font',
    forms: [{ pattern: '^\\S(.*\\S)?$', maxLength: fontFamilyCharsMax }],
  },
  model: {
    expected: 'a model: provider/model, or the name of a local model',
    forms: [{ pattern: '^[!-.0-~]+(/[!-~]+)?$', maxLength: modelNameCharsMax }],
  },
}

/** The valid values as a sentence; undefined for any text. */
export function formatExpected(format: TextFormat): string | undefined {
  if (format === 'multiline') return undefined
  const { expected } = textForms[format]
  return `${expected.charAt(0).toUpperCase()}${expected.slice(1)}.`
}

const compiled = new Map(
  Object.entries(textForms).map(([format, { forms }]) => [
    format,
    forms.map(({ pattern, maxLength }) => ({ expression: new RegExp(pattern, 'u'), maxLength })),
  ]),
)

/** The problem of a text in this format; undefined if it is valid. */
export function formatProblem(format: TextFormat, text: string): string | undefined {
  if (format === 'multiline') return undefined
  const forms = compiled.get(format) ?? []
  const fits = forms.some(({ expression, maxLength }) => hasAtMost(text, maxLength) && expression.test(text))
  if (fits) return undefined
  if (format === 'image' && isDataUrl(text)) return dataUrlProblem(text)
  const long = forms.find(({ expression, maxLength }) => !hasAtMost(text, maxLength) && expression.test(text))
  return long
    ? `must have at most ${long.maxLength} characters; it has ${charsOf(text)}`
    : `must be ${textForms[format].expected}`
}

export function isDataUrl(text: string): boolean {
  return /^[\t\n\f\r ]*data:/i.test(text)
}

/** The first rule that a `data:` URL breaks. */
function dataUrlProblem(text: string): string {
  if (!hasAtMost(text, dataUrlCharsMax))
    return `must be a data: URL of at most 512 KiB (${dataUrlCharsMax} characters); it has ${charsOf(text)}`
  const comma = text.indexOf(',')
  if (comma < 0) return 'must be a data: URL with a comma before its data'
  const head = text.slice(0, comma + 1)
  if (!new RegExp(`^${dataUrlStart}[;,]`).test(head))
    return 'must be a data: URL with the media type of an image, such as data:image/png;base64,'
  const body = text.slice(comma + 1)
  if (!new RegExp(`${base64Mark}$`).test(head))
    return body.replace(/#.*/s, '') === ''
      ? 'must be a data: URL with data after the comma'
      : 'must be a data: URL with at most 5 parameters of at most 100 characters, and at most one #'
  const [urlDigit] = /[-_]/.exec(body) ?? []
  if (urlDigit)
    return `must be a data: URL in base64, not base64url: write ${urlDigit === '-' ? '+' : '/'} in place of ${urlDigit}`
  const [other] = new RegExp(`(?!${white}|%20|%0[9AaDd]|%2[BbFf]|%3[Dd])[^A-Za-z0-9+/=]`, 'u').exec(body) ?? []
  if (other) return `must be a data: URL whose base64 has no ${JSON.stringify(other)}`
  return 'must be a data: URL whose base64 is complete: characters are missing, or = is in the wrong place'
}

/** JSON Schema counts characters as code points: one or two code units. */
export function hasAtMost(text: string, chars: number): boolean {
  return text.length <= chars || (text.length <= 2 * chars && charsOf(text) <= chars)
}

export function charsOf(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
