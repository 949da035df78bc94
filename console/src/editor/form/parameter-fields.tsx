import { Text } from '@mantine/core'
import { useCallback, useMemo, useRef } from 'react'
import { joined } from '../../../../shared/json-schema.ts'
import { readValue } from '../../../../shared/parameters.ts'
import type { Issue } from '../../api/client.ts'
import type { Parameter, ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { isWithin, joinPath, setAt } from '../document/path.ts'
import { useEditor } from '../state/editor-context.ts'
import { HelpContext } from './form-context.tsx'
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
  const change = useCallback((path: string, value: unknown) => {
    const next = structuredClone(newest.current.values) as ParameterValues
    setAt(next, path, value)
    newest.current.onChange(next)
  }, [])
  // Typed values are checked immediately. Missing values are reported after sending.
  const allIssues = useMemo(() => {
    const found = parameters.flatMap((parameter) => {
      const value = values[parameter.name]
      const { problems = [] } = value === undefined ? {} : readValue(parameter, value)
      return problems.map((each) => ({
        path: joined(joinPath(path, parameter.name), each.path),
        message: each.message,
      }))
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
