import { Text } from '@mantine/core'
import { useCallback, useMemo, useRef } from 'react'
import type { Issue } from '../../api/client.ts'
import type { Parameter, WorkflowDocument } from '../../api/workflow-document.ts'
import { isWithin, joinPath, pathBelow } from '../document/path.ts'
import { useEditor } from '../state/editor-context.ts'
import { HelpContext } from './form-context.tsx'
import { parametersSchema, problemsOfParameters } from './parameter-schema.ts'
import { SchemaForm } from './schema-form.tsx'

interface Props {
  parameters: readonly Parameter[]
  values: Readonly<Record<string, unknown>>
  /** The values as they are then; what is cleared is left out. */
  onChange(values: Record<string, string | number>): void
  /** Under `path`, as the API names them: `parameters.width`. Those of `problemsOfParameters` too. */
  issues?: readonly Issue[]
  /** Says what the parameters are for, so that one for an image gets the picker. Default: the editor's. */
  document?: WorkflowDocument
  path?: string
}

const noIssues: readonly Issue[] = []

/** The run form of a workflow: a field for each of its parameters. */
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
  // What is typed is checked at once; that something is missing is told when it is sent.
  const allIssues = useMemo(() => {
    const found = problemsOfParameters(
      parameters.filter(({ name }) => values[name] !== undefined),
      values,
    ).map((issue) => ({ ...issue, path: joinPath(path, pathBelow(issue.path, 'parameters')) }))
    return [...issues.filter((issue) => isWithin(issue.path, path)), ...found]
  }, [issues, path, parameters, values])
  if (parameters.length === 0)
    return (
      <Text size="sm" c="dimmed">
        This workflow takes no parameters.
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
