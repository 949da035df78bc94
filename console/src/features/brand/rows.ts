/** The values of a brand as the rows of a form: a row can have an invalid name until it is saved. */
import { parameterNamePattern } from '../../../../shared/names.ts'
import { show } from '../../../../shared/text.ts'
import { isObject } from '../../../../shared/values.ts'
import type { BrandValue, BrandValues } from '../../api/brand.ts'
import type { Issue } from '../../api/client.ts'

export interface Row extends BrandValue {
  /** Identifies the row while its name changes. */
  key: number
  name: string
  description: string
}

export const kinds = {
  color: { title: 'Colours', add: 'Add colour', name: 'primary', value: '#4263eb' },
  font: { title: 'Fonts', add: 'Add font', name: 'heading', value: '' },
  image: { title: 'Logos and images', add: 'Add image', name: 'logo', value: '' },
  text: { title: 'Texts', add: 'Add text', name: 'slogan', value: '' },
} as const satisfies Record<BrandValue['type'], { title: string; add: string; name: string; value: string }>

export type Kind = keyof typeof kinds

let lastKey = 0

export function toRows(values: BrandValues): Row[] {
  return Object.entries(values).map(([name, value]) => toRow(name, value))
}

export function toRow(name: string, { type, value, description = '' }: BrandValue): Row {
  lastKey += 1
  return { key: lastKey, name, type, value, description }
}

/** A new row with a name that no other row has. */
export function newRow(type: Kind, rows: readonly Row[]): Row {
  const { name, value } = kinds[type]
  const taken = new Set(rows.map((row) => row.name))
  let free: string = name
  for (let i = 2; taken.has(free); i++) free = `${name}${i}`
  return toRow(free, { type, value })
}

export function toValues(rows: readonly Row[]): BrandValues {
  return Object.fromEntries(
    rows.map(({ name, type, value, description }) => [
      name,
      { type, value, ...(description === '' ? {} : { description }) },
    ]),
  )
}

const namePattern = new RegExp(parameterNamePattern)

export function nameProblem({ key, name }: Row, rows: readonly Row[]): string | undefined {
  if (name === '') return 'Enter a name.'
  if (!namePattern.test(name)) return 'Use a letter, then letters, digits, _ and -, at most 64.'
  return rows.some((row) => row.key !== key && row.name === name) ? `${show(name)} exists already.` : undefined
}

/** The message of the API for a field of the row. */
export function issueOf({ name }: Row, field: 'value' | 'description', issues: readonly Issue[]): string | undefined {
  return issues.find(({ path }) => path === `values.${name}.${field}`)?.message
}

/** Issues that no row shows. */
export function otherIssues(rows: readonly Row[], issues: readonly Issue[]): Issue[] {
  const shown = new Set(rows.flatMap(({ name }) => [`values.${name}.value`, `values.${name}.description`]))
  return issues.filter(({ path }) => !shown.has(path))
}

/** The rows in the content of a brand file, as `tintype brand export` writes it; undefined if it isn't one. */
export function rowsOfFile(content: unknown): Row[] | undefined {
  const values = isObject(content) ? content.values : undefined
  if (!isObject(values)) return undefined
  const rows = Object.entries(values).flatMap(([name, value]) => {
    if (!isObject(value) || !isKind(value.type) || typeof value.value !== 'string') return []
    const description = typeof value.description === 'string' ? value.description : ''
    return [toRow(name, { type: value.type, value: value.value, description })]
  })
  return rows.length === Object.keys(values).length ? rows : undefined
}

function isKind(type: unknown): type is Kind {
  return typeof type === 'string' && Object.hasOwn(kinds, type)
}
