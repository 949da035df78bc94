/** Brand values: named colours, fonts, images and texts of an account or of a project. Templates read them as `brand.primary`. */
import { formatProblem, isDataUrl } from './parameter-formats.ts'
import { didYouMean } from './suggest.ts'
import { list, show } from './text.ts'

/** Name of the brand as an owner of values, and of the values in templates. */
export const brandName = 'brand'

export const brandTypes = ['color', 'font', 'image', 'text'] as const
export type BrandType = (typeof brandTypes)[number]

export interface BrandValue {
  type: BrandType
  value: string
  description?: string
}

export type BrandValues = Record<string, BrandValue>

/** The problem of the value; undefined if it is valid. */
export function brandValueProblem({ type, value }: Pick<BrandValue, 'type' | 'value'>): string | undefined {
  if (type === 'text') return undefined
  if (type === 'image' && isDataUrl(value))
    return 'is a data: URL, which is not stored in brand values. Upload the image, and use its id.'
  const problem = formatProblem(type, value)
  return problem && `${problem}, not ${show(value)}`
}

/** The reported name for a template that reads all values, or a name that is looked up. */
export const unnamedBrandValue =
  'must name a value after `brand`, as in `brand.primary`. A name that is looked up, as in `brand[name]`, is not possible.'

export function missingBrandValue(name: string, known: readonly string[]): string {
  const hint = didYouMean(name, known) || (known.length > 0 ? `The brand has ${list(known)}.` : '')
  return `uses the brand value ${show(name)}, which neither the project of the workflow nor the account has. Add it to the brand. ${hint}`.trimEnd()
}
