import { Text } from '@mantine/core'
import { useCallback, useMemo, useRef } from 'react'
import { parameterProblem } from '../../../../shared/parameters.ts'
import type { Issue } from '../../api/client.ts'
import type { Parameter, WorkflowDocument } from '../../api/workflow-document.ts'
import { isWithin, joinPath } from '../document/path.ts'
import { useEditor } from '../state/editor-context.ts'
import { HelpContext } from './form-context.tsx'
import { parametersSchema } from './parameter-schema.ts'
import { SchemaForm } from './schema-form.tsx'

interface Props {
  parameters: readonly Parameter[]
  values: Readonly<Record<string, unknown>>
  /** Called with all values. Cleared values are left out. */
  onChange(values: Record<string, string | number>): void
  /** Issues below `path`, as the API names them (`parameters.width`). */
  issues?: readonly Issue[]
  /**
   * The document that uses the parameters: a parameter for an image gets the image picker. Default: the document of the
   * editor.
   */
  document?: WorkflowDocument
  path?: string
}

const noIssues: readonly Issue[] = []

/** A form with a field for each parameter of a workflow. */
export function ParameterFields({
  parameters,
  values,
  onChange,
  issues = noIssues,
  document,
  path = 'parameters',
}: Props) {
  const { catalogue } = useEditor()
  const store = useEditor().document
  const usedBy = document ?? store.getState().document
  const schema = useMemo(() => parametersSchema(parameters, usedBy, catalogue), [parameters, usedBy, catalogue])
  const newest = useRef({ values, onChange })
  newest.current = { values, onChange }
  const change = useCallback((name: string, value: unknown) => {
    const { [name]: _, ...others } = newest.current.values
    const isValue = typeof value === 'string' || typeof value === 'number'
    newest.current.onChange((isValue ? { ...others, [name]: value } : others) as Record<string, string | number>)
  }, [])
  // Typed values are checked immediately. Missing values are reported after sending.
  const allIssues = useMemo(() => {
    const found = parameters.flatMap((parameter) => {
      const value = values[parameter.name]
      const message = value === undefined ? undefined : parameterProblem(parameter, value)
      return message === undefined ? [] : [{ path: joinPath(path, parameter.name), message }]
    })
    return [...issues.filter((issue) => isWithin(issue.path, path)), ...found]
  }, [issues, path, parameters, values])
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
        values={values}
        onChange={change}
        path={path}
        issues={allIssues}
        withTemplates={false}
      />
    </HelpContext>
  )
}
