import { Tooltip } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { useId } from 'react'
import { joinPath } from '../../document/path.ts'
import { defaultText } from '../default-text.ts'
import { Field, type FieldProps } from '../field.tsx'
import { FieldFrame, FieldGroup } from '../field-frame.tsx'
import { useForm, useIsMissing, useProblems } from '../form-context.tsx'
import { FormGrid } from '../form-grid.tsx'
import { blankOf } from '../json-values.ts'
import { initialOf, titleOf, widgetOf } from '../schema.ts'
import { SmallButton } from '../small-button.tsx'
import { AddButton } from './add-button.tsx'

/** Pairs of these widgets share a row, such as a position and a colour. */
const pairable = new Set(['number', 'color'])

/** An object of several fields. An optional one is missing until it is added. */
export function ObjectField({ schema, name, path, value, isRequired, example, actions }: FieldProps) {
  const { at, onChange, withTemplates } = useForm()
  const id = useId()
  const problems = useProblems(path)
  const isMissing = useIsMissing(value)
  const title = titleOf(schema, name)
  const description = schema.description ?? ''
  if (value === undefined)
    return (
      <FieldFrame
        title={title}
        description={description}
        isRequired={isRequired}
        id={id}
        labelId={`${id}-label`}
        problems={problems}
        isMissing={isMissing}
        path={joinPath(at, path)}
        defaultText={defaultText(schema)}
        isDefaultShown
        actions={actions}
        isRow
      >
        <AddButton
          id={id}
          title={title}
          onAdd={() => onChange(path, withTemplates ? initialOf(schema, example) : blankOf(schema))}
        />
      </FieldFrame>
    )
  const values = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return (
    <FieldGroup
      title={title}
      description={description}
      id={id}
      problems={problems}
      isMissing={isMissing}
      path={joinPath(at, path)}
      actions={
        <>
          {!isRequired && (
            <Tooltip label="Remove">
              <SmallButton aria-label={`Remove ${title}`} onClick={() => onChange(path, undefined)}>
                <Trash2 size={14} aria-hidden />
              </SmallButton>
            </Tooltip>
          )}
          {actions}
        </>
      }
    >
      <ObjectValues schema={schema} path={path} values={values} />
    </FieldGroup>
  )
}

/** A field for each property. */
export function ObjectValues({
  schema,
  path,
  values,
  isNested = true,
}: Pick<FieldProps, 'schema' | 'path'> & { values: Record<string, unknown>; isNested?: boolean }) {
  const fields = Object.entries(schema.properties ?? {})
  const isDense = fields.length === 2 && fields.every(([name, field]) => pairable.has(widgetOf(field, name)))
  return (
    <FormGrid isNested={isNested}>
      {fields.map(([name, field]) => (
        <Field
          key={name}
          schema={field}
          name={name}
          path={joinPath(path, name)}
          value={values[name]}
          isDense={isDense}
          isRequired={schema.required?.includes(name) ?? false}
        />
      ))}
    </FormGrid>
  )
}
