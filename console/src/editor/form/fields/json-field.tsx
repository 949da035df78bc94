import { useState } from 'react'
import type { FieldProps } from '../field.tsx'
import { hasShape } from '../json-values.ts'
import { titleOf } from '../schema.ts'
import { JsonText, JsonToggle } from './json-text.tsx'
import { ListField } from './list-field.tsx'
import { ObjectField } from './object-field.tsx'

/** An object or a list with a schema: as fields, or as JSON text, which also shows values that the fields can't. */
export function JsonField(props: FieldProps) {
  const { schema, name, value } = props
  const [isText, setIsText] = useState(false)
  const fits = value === undefined || hasShape(schema, value)
  const toggle = (
    <JsonToggle title={titleOf(schema, name)} isText={isText} isDisabled={!fits} onToggle={() => setIsText(!isText)} />
  )
  if (isText || !fits) return <JsonText {...props} actions={toggle} />
  const Fields = schema.type === 'array' ? ListField : ObjectField
  return <Fields {...props} actions={toggle} />
}
