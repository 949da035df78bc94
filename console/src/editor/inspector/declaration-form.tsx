import { useCallback } from 'react'
import type { Parameter } from '../../api/workflow-document.ts'
import { parameterNameProblem, readParameters, renameParameter } from '../document/parameters.ts'
import { firstKey } from '../document/path.ts'
import { FormGrid } from '../form/form-grid.tsx'
import { SchemaForm } from '../form/schema-form.tsx'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { useIssuesOf } from './issues.ts'
import { NameField } from './name-field.tsx'
import { declarationSchema, retyped, withParsedDefault } from './parameter-declaration.ts'

/** The name, type and default of a parameter. */
export function DeclarationForm({ parameter, index, isNew }: { parameter: Parameter; index: number; isNew: boolean }) {
  const store = useEditor().document
  const path = `parameters.${index}`
  const all = useIssuesOf(path)
  const focus = useDocument((state) => state.focus)
  const isUsed = useDocument(({ document }) => readParameters(document).has(parameter.name))
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
  const rename = (to: string) =>
    store.getState().change(`Rename ${name}`, (document) => {
      renameParameter(document, name, to)
    })
  const nameProblems = all.filter((issue) => issue.path === `${path}.name`).map(({ message }) => message)
  return (
    <FormGrid>
      <NameField
        path={`${path}.name`}
        name={name}
        description={
          isUsed
            ? 'The name in templates and API calls. Renaming updates all templates.'
            : 'No setting uses it yet: write {{ name }} in one.'
        }
        problems={nameProblems}
        isNew={isNew}
        problemOf={(to) => parameterNameProblem(store.getState().document, to)}
        onRename={rename}
      />
      <SchemaForm
        schema={declarationSchema(parameter)}
        values={withParsedDefault(parameter) as unknown as Record<string, unknown>}
        onChange={onChange}
        path={path}
        withTemplates={false}
        issues={all.filter((issue) => issue.path !== `${path}.name`)}
        focus={focus}
      />
    </FormGrid>
  )
}
