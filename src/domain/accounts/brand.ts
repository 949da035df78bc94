/** Brand values of an account or of one of its projects: templates read them as `brand.<name>`. */
import Type from 'typebox'
import { type BrandType, type BrandValues, brandTypes, brandValueProblem } from '../../../shared/brand.ts'
import { parameterNamePattern } from '../../../shared/names.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { named } from '../named-schema.ts'
import { storableText } from '../storable-text.ts'
import { checker, joinPath } from '../validate.ts'
import type { DocumentSearch } from '../workflows/workflow.ts'

export interface Brand {
  accountId: string
  /** Null for the values of the account. A value of a project replaces the value of the account with the same name. */
  projectId: string | null
  values: BrandValues
  /** The number of changes. 0: it was never saved. */
  revision: number
  /** Null if it was never saved. */
  updatedAt: number | null
}

/** The values that a workflow reads, by name: an execution keeps them, so that it can be repeated. */
export type UsedBrandValues = Record<string, string>

/** The account, and the project of the workflow. Without a project, only the account's values. */
export interface BrandOwner {
  accountId: string
  projectId?: string | undefined
}

export interface BrandStore {
  find(accountId: string, projectId: string | null): Promise<Brand | undefined>
  /** The brand of the account, and that of the project, in one query. */
  findBoth(owner: BrandOwner): Promise<{ account: Brand | undefined; project: Brand | undefined }>
  /** The owners (the account, and projects) whose brand contains the text. */
  containing(accountId: string, ownerIds: readonly string[], text: string): Promise<DocumentSearch>
  /**
   * Replaces all values, and counts the revision up. `ifRevision`: only if this is the revision, however many write at the same time. Returns the new
   * revision; undefined if nothing was written.
   */
  save(brand: Omit<Brand, 'revision'> & { updatedAt: number }, ifRevision?: number): Promise<number | undefined>
}

/** The form of the value depends on the type: `brandIssues`. */
export const BrandValue = Type.Object(
  {
    type: Type.Unsafe<BrandType>({ type: 'string', enum: brandTypes }),
    value: Type.String({
      ...storableText,
      maxLength: limits.brandValueCharsMax,
      description:
        'A colour as in CSS, the family or id of a font, an image id or http(s) URL, or any text, which can be empty.',
    }),
    description: Type.Optional(Type.String({ ...storableText, maxLength: limits.descriptionCharsMax })),
  },
  { ...named('BrandValue'), additionalProperties: false },
)

export const BrandValuesField = Type.Record(
  Type.String({
    pattern: parameterNamePattern,
    'x-expected': 'a name (a letter, then letters, digits, _ and -, at most 64)',
  }),
  BrandValue,
  { maxProperties: limits.brandValuesMax, additionalProperties: false, description: 'The values by name.' },
)

/** The check of the form of a brand file. */
export const checkBrandFile = checker(Type.Object({ values: BrandValuesField }, { additionalProperties: false }))

/** The problems of values that fit `BrandValuesField`. The paths start with `values`. */
export function brandIssues(values: BrandValues): Issue[] {
  const issues = Object.entries(values).flatMap(([name, value]) => {
    const message = brandValueProblem(value)
    return message === undefined ? [] : [{ path: brandValuePath(name), message }]
  })
  const bytes = Buffer.byteLength(JSON.stringify(values))
  if (bytes <= limits.brandBytesMax) return issues
  const message = `must have at most ${limits.brandBytesMax} bytes of JSON, not ${bytes}. Shorten the texts and descriptions.`
  return [{ path: 'values', message }, ...issues]
}

export function brandValuePath(name: string): string {
  return joinPath('values', name, 'value')
}

/** The values that templates see: those of the project, then those of the account. */
export function mergedValues(account: BrandValues, project: BrandValues): BrandValues {
  return { ...account, ...project }
}
