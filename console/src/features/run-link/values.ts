/** The values of the form, as texts and files, and their conversion to parameters. */
import { parameterLabel } from '../../../../shared/parameter-label.ts'
import type { Page, Parameter } from '../../api/run-link.ts'

/** A text as it is typed, a file that is not uploaded yet, or whether a box is checked. */
export type Value = string | boolean | File

export type Values = Record<string, Value>

export type FieldKind = 'image' | 'boolean' | 'choice' | 'number' | 'color' | 'date' | 'url' | 'lines' | 'json' | 'text'

export function kindOf(parameter: Parameter): FieldKind {
  if (parameter.type === 'number') return 'number'
  if (parameter.enum !== undefined) return 'choice'
  const { format } = parameter
  if (format === 'image' || format === 'boolean' || format === 'color' || format === 'date' || format === 'url')
    return format
  if (format === 'multiline') return 'lines'
  return format === 'json' ? 'json' : 'text'
}

export function labelOf({ name }: Parameter): string {
  return parameterLabel(name)
}

export function defaultValues({ parameters }: Pick<Page, 'parameters'>): Values {
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, shown(parameter, parameter.default)]))
}

/** The values of an example in place of the others. Its images are not public. */
export function exampleValues(
  { parameters }: Pick<Page, 'parameters'>,
  example: Page['examples'][number],
  values: Values,
): Values {
  const passed = example.parameters ?? {}
  const given = parameters.filter(({ name }) => Object.hasOwn(passed, name))
  return { ...values, ...Object.fromEntries(given.map((each) => [each.name, shown(each, passed[each.name])])) }
}

function shown(parameter: Parameter, value: unknown): Value {
  if (kindOf(parameter) === 'boolean') return value === true || value === 'true'
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/**
 * The parameters of a request: empty fields are left out, so that the workflow uses its defaults. `upload`: stores a file of a parameter, and returns
 * the id of the image.
 */
export async function parametersOf(
  { parameters }: Pick<Page, 'parameters'>,
  values: Values,
  upload: (file: File, name: string) => Promise<string>,
): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = []
  for (const { name, type } of parameters) {
    const value = values[name]
    if (value === undefined || value === '') continue
    if (value instanceof File) entries.push([name, await upload(value, name)])
    else entries.push([name, type === 'number' ? Number(value) : value])
  }
  return Object.fromEntries(entries)
}
