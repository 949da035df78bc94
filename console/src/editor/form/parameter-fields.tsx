import { Text } from '@mantine/core'
import { useCallback, useMemo, useRef } from 'react'
import { isRequiredText, joined } from '../../../../shared/json-schema.ts'
import { readValue } from '../../../../shared/parameters.ts'
import type { Issue } from '../../api/client.ts'
import type { Catalogue } from '../../api/operations.ts'
import type { Parameter, ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { isWithin, joinPath, setAt, valueAt } from '../document/path.ts'
import { usePossibleEditor } from '../state/editor-context.ts'
import { HelpContext } from './form-context.tsx'
import { parsedValue } from './json-values.ts'
import { parametersSchema } from './parameter-schema.ts'
import { SchemaForm } from './schema-form.tsx'

interface Props {
  parameters: readonly Parameter[]
  values: Readonly<Record<string, unknown>>
  /** Called with all values. Cleared values are left out. */
  onChange(values: ParameterValues): void
  /** Issues below `path`, as the API names them (`parameters.width`). */
  issues?: readonly Issue[]
  /**
   * The document that uses the parameters: a parameter for an image gets the image picker. Default: the document of the
   * editor.
   */
  document?: WorkflowDocument
  /** Default: that of the editor. */
  catalogue?: Catalogue
  path?: string
}

const noIssues: readonly Issue[] = []
const noOperations: Catalogue = new Map()

function parsedValues(parameters: readonly Parameter[], values: Props['values']): Props['values'] {
  const parsed = parameters.flatMap((parameter) => {
    const value = parsedValue(parameter, values[parameter.name])
    return value === values[parameter.name] ? [] : [[parameter.name, value]]
  })
  return parsed.length === 0 ? values : { ...values, ...Object.fromEntries(parsed) }
}

/** A form with a field for each parameter of a workflow. */
export function ParameterFields({
  parameters,
  values,
  onChange,
  issues = noIssues,
  document,
  catalogue: passedCatalogue,
  path = 'parameters',
}: Props) {
  const editor = usePossibleEditor()
  const catalogue = passedCatalogue ?? editor?.catalogue ?? noOperations
  const usedBy = document ?? editor?.document.getState().document
  const schema = useMemo(() => parametersSchema(parameters, usedBy, catalogue), [parameters, usedBy, catalogue])
  const shown = useMemo(() => parsedValues(parameters, values), [parameters, values])
  const newest = useRef({ values: shown, onChange })
  newest.current = { values: shown, onChange }
  const change = useCallback((path: string, value: unknown) => {
    const next = structuredClone(newest.current.values) as ParameterValues
    setAt(next, path, value)
    newest.current.onChange(next)
  }, [])
  // Typed values are checked immediately. Missing values are reported after sending.
  const allIssues = useMemo(() => {
    const found = parameters.flatMap((parameter) => {
      const value = shown[parameter.name]
      const { problems = [] } = value === undefined ? {} : readValue(parameter, value)
      return problems
        .filter(
          (problem) =>
            problem.message !== isRequiredText && (problem.path === '' || valueAt(value, problem.path) !== ''),
        )
        .map((problem) => ({ path: joined(joinPath(path, parameter.name), problem.path), message: problem.message }))
    })
    return [...issues.filter((issue) => isWithin(issue.path, path)), ...found]
  }, [issues, path, parameters, shown])
  if (parameters.length === 0)
    return (
      <Text size="sm" c="dimmed">
        This workflow has no parameters.
      </Text>
    )
  return (
    <HelpContext value>
      <SchemaForm
        schema={schema}
        values={shown}
        onChange={change}
        path={path}
        issues={allIssues}
        withTemplates={false}
      />
    </HelpContext>
  )
}
