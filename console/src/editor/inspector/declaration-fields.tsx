import { useCallback } from 'react'
import type { Parameter } from '../../api/workflow-document.ts'
import { firstKey } from '../document/path.ts'
import { SchemaForm } from '../form/schema-form.tsx'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { useIssuesOf } from './issues.ts'
import { declarationSchema, retyped, withParsedDefault } from './parameter-declaration.ts'

/** The type and the default of a parameter. */
export function DeclarationFields({ parameter, path }: { parameter: Parameter; path: string }) {
  const store = useEditor().document
  const all = useIssuesOf(path)
  const focus = useDocument((state) => state.focus)
  const { name } = parameter
  const onChange = useCallback(
    (field: string, value: unknown) =>
      store.getState().change(
        `Change ${firstKey(field)} of ${name}`,
        (document) => {
          const at = document.parameters?.findIndex((parameter) => parameter.name === name) ?? -1
          const found = document.parameters?.[at]
          if (document.parameters !== undefined && found !== undefined)
            document.parameters[at] = retyped(found, field, value)
        },
        { key: `parameters.${name}.${field}` },
      ),
    [store, name],
  )
  return (
    <SchemaForm
      schema={declarationSchema(parameter)}
      values={withParsedDefault(parameter) as unknown as Record<string, unknown>}
      onChange={onChange}
      path={path}
      withTemplates={false}
      issues={all.filter((issue) => issue.path !== `${path}.name`)}
      focus={focus}
    />
  )
}
