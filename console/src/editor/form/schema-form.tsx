import { Button, Group } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import type { Issue } from '../../api/client.ts'
import { firstKey, isWithin, joinPath, pathBelow } from '../document/path.ts'
import { Field } from './field.tsx'
import { Problems } from './field-frame.tsx'
import { Fold } from './fold.tsx'
import { type FormContextValue, FormProvider } from './form-context.tsx'
import { FormGrid } from './form-grid.tsx'
import type { JsonSchema } from './schema.ts'

interface Props extends Omit<FormContextValue, 'at' | 'set' | 'withTemplates'> {
  /** An object schema. */
  schema: JsonSchema
  values: Readonly<Record<string, unknown>>
  /**
   * `path` is relative to the values: `box.x`. `undefined` removes the value. Must be the same function in each render.
   */
  onChange(path: string, value: unknown): void
  /** Removes several values as one change. Default: one by one. */
  onRemove?(names: readonly string[]): void
  /** The path of the values, as in issues: `nodes.title.params`. */
  path: string
  issues: readonly Issue[]
  withTemplates?: boolean
  /** Names of values without a field. */
  hidden?: readonly string[]
  /** Initial values, from the operation. */
  examples?: readonly Readonly<Record<string, unknown>>[]
}

/** A form with a field for each value of an object. Advanced fields are folded. */
export function SchemaForm(props: Props) {
  const { schema, values, onChange, onRemove, path, issues, withTemplates = true, examples = [], hidden = [] } = props
  const { node, capability, focus, promote } = props
  const form = useMemo(
    () => ({ at: path, node, withTemplates, capability, issues, focus, onChange, promote }),
    [path, node, withTemplates, capability, issues, focus, onChange, promote],
  )
  const removeEach = (names: readonly string[]) => {
    for (const name of names) onChange(name, undefined)
  }
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !hidden.includes(name))
  const isAdvanced = ([, property]: [string, JsonSchema]) => property['x-advanced'] === true
  const row = ([name, property]: [string, JsonSchema]) => (
    <Field
      key={name}
      schema={property}
      name={name}
      path={name}
      value={values[name]}
      isRequired={schema.required?.includes(name) ?? false}
      example={examples.find((example) => Object.hasOwn(example, name))?.[name]}
    />
  )
  const advanced = fields.filter(isAdvanced)
  const isInside = (at: string) => advanced.some(([name]) => isWithin(at, joinPath(path, name)))
  const setCount = advanced.filter(([name]) => values[name] !== undefined).length
  return (
    <FormProvider value={form}>
      <FormGrid>
        <Problems
          id={`${path}-problem`}
          problems={problemsOfForm(issues, path, schema)}
          isMissing={withTemplates && Object.keys(values).length === 0}
        />
        <Unknown names={unknownNames(issues, path, schema, values)} onRemove={onRemove ?? removeEach} />
        {fields.filter((field) => !isAdvanced(field)).map(row)}
        {advanced.length > 0 && (
          <Fold
            title="Advanced"
            note={setCount > 0 ? `${setCount} set` : `${advanced.length}`}
            isOpenAtFirst={setCount > 0}
            openAt={focus !== undefined && isInside(focus.path) ? focus.at : issueCount(issues, isInside)}
          >
            <FormGrid>{advanced.map(row)}</FormGrid>
          </Fold>
        )}
      </FormGrid>
    </FormProvider>
  )
}

/** Buttons that remove unknown values, for example of a pasted node. */
function Unknown({ names, onRemove }: { names: readonly string[]; onRemove(names: readonly string[]): void }) {
  if (names.length === 0) return null
  return (
    <Group gap={8}>
      {names.slice(0, namedMax).map((name) => (
        <RemoveButton key={name} onClick={() => onRemove([name])}>
          Remove {name}
        </RemoveButton>
      ))}
      {names.length > 1 && <RemoveButton onClick={() => onRemove(names)}>Remove all {names.length}</RemoveButton>}
    </Group>
  )
}

/** More would push the fields out of sight. */
const namedMax = 3

function RemoveButton({ onClick, children }: { onClick(): void; children: ReactNode }) {
  return (
    <Button variant="default" size="xs" leftSection={<Trash2 size={14} aria-hidden />} onClick={onClick}>
      {children}
    </Button>
  )
}

function unknownNames(
  issues: readonly Issue[],
  path: string,
  { properties = {} }: JsonSchema,
  values: Props['values'],
): string[] {
  const isWrong = (name: string) => issues.some((issue) => isWithin(issue.path, joinPath(path, name)))
  return Object.keys(values).filter((name) => !Object.hasOwn(properties, name) && isWrong(name))
}

/** Undefined if there are none, so that nothing unfolds. */
function issueCount(issues: readonly Issue[], isInside: (path: string) => boolean): number | undefined {
  const count = issues.filter((issue) => isInside(issue.path)).length
  return count > 0 ? -count : undefined
}

/** The issues of the object itself and of unknown values. */
function problemsOfForm(issues: readonly Issue[], path: string, schema: JsonSchema): string[] {
  return issues.flatMap((issue) => {
    if (issue.path === path) return [capitalised(issue.message)]
    const below = pathBelow(issue.path, path)
    if (below === '') return []
    const name = firstKey(below)
    return Object.hasOwn(schema.properties ?? {}, name) ? [] : [`${name} ${issue.message}`]
  })
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
