import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { joinPath } from '../../document/path.ts'
import type { FieldProps } from '../field.tsx'
import { FieldFrame, FieldGroup } from '../field-frame.tsx'
import { AddButton } from '../fields/add-button.tsx'
import { Segments } from '../fields/choice-controls.tsx'
import { JsonText, JsonToggle } from '../fields/json-text.tsx'
import { useForm, useProblems } from '../form-context.tsx'
import { initialOf, titleOf } from '../schema.ts'
import { SmallButton } from '../small-button.tsx'
import { FieldsEditor } from './fields-editor.tsx'
import { FormatsContext, KindSelect, type ValueProps } from './kind-select.tsx'
import { isEditable, kindOf, ofKind } from './kinds.ts'
import classes from './schema-editor.module.css'
import { Settings } from './settings.tsx'

/** A JSON Schema: its fields or its items as a form, or its text. */
export function SchemaField(props: FieldProps) {
  const { schema, name, path, value, isRequired } = props
  const { at, onChange } = useForm()
  const [isText, setIsText] = useState(false)
  const id = useId()
  const problems = useProblems(path)
  const title = titleOf(schema, name)
  const toggle = (
    <JsonToggle title={title} isText={isText} isDisabled={!isEditable(value)} onToggle={() => setIsText(!isText)} />
  )
  if (value === undefined && !isText)
    return (
      <FieldFrame
        title={title}
        description={schema.description ?? ''}
        isRequired={isRequired}
        id={id}
        labelId={`${id}-label`}
        problems={problems}
        path={joinPath(at, path)}
        isRow
      >
        <AddButton id={id} title={title} onAdd={() => onChange(path, initialOf(schema))} />
      </FieldFrame>
    )
  if (isText || !isEditable(value)) return <JsonText {...props} actions={toggle} />
  return (
    <FormatsContext value={schema['x-formats']}>
      <FieldGroup
        title={title}
        description={schema.description ?? ''}
        isRequired={isRequired}
        id={id}
        problems={problems}
        isMissing={false}
        path={joinPath(at, path)}
        actions={
          <>
            {!isRequired && (
              <SmallButton aria-label={`Remove ${title}`} onClick={() => onChange(path, undefined)}>
                <Trash2 size={14} aria-hidden />
              </SmallButton>
            )}
            {toggle}
          </>
        }
      >
        <Segments
          aria-label={`${title}: the value is`}
          data={[
            { value: 'object', label: 'One object' },
            { value: 'array', label: 'A list' },
          ]}
          value={value.type}
          onChange={(kind) => onChange(path, ofKind(kind === 'array' ? 'array' : 'object', value))}
        />
        <ValueEditor schema={value} path={path} depth={1} isField={false} onChange={(next) => onChange(path, next)} />
      </FieldGroup>
    </FormatsContext>
  )
}

/** The settings of a schema, and its fields or items. */
function ValueEditor({ schema, path, depth, isField, onChange }: ValueProps) {
  const kind = kindOf(schema)
  return (
    <div className={classes.value}>
      {kind === 'array' && (
        <ItemsEditor
          schema={schema.items ?? { type: 'string' }}
          path={joinPath(path, 'items')}
          depth={depth + 1}
          onChange={(items) => onChange({ ...schema, items })}
        />
      )}
      {kind === 'object' && (
        <FieldsEditor schema={schema} path={path} depth={depth} Value={ValueEditor} onChange={onChange} />
      )}
      <Settings schema={schema} path={path} isField={isField} onChange={onChange} />
    </div>
  )
}

function ItemsEditor({ schema, path, depth, onChange }: Omit<ValueProps, 'isField'>) {
  const id = useId()
  return (
    <div className={classes.items}>
      <label className={classes.itemsLabel} htmlFor={id}>
        Each item is
      </label>
      <KindSelect id={id} schema={schema} depth={depth} onChange={onChange} />
      <ValueEditor schema={schema} path={path} depth={depth} isField={false} onChange={onChange} />
    </div>
  )
}
