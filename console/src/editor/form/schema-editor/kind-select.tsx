import { Select } from '@mantine/core'
import type { ValueSchema } from '../../../../../shared/json-schema.ts'
import { type Kind, kindLabels, kindOf, kinds, ofKind } from './kinds.ts'
import classes from './schema-editor.module.css'

export interface ValueProps {
  schema: ValueSchema
  /** Relative to the form. */
  path: string
  depth: number
  /** Whether it has a label, a description and a default. */
  isField: boolean
  onChange(schema: ValueSchema): void
}

/** As the service limits it. */
const depthMax = 5

/** The kind of a value: text, a number, an image, fields ... */
export function KindSelect({
  schema,
  depth,
  onChange,
  ...props
}: Pick<ValueProps, 'schema' | 'depth' | 'onChange'> & { id?: string; 'aria-label'?: string }) {
  const offered = kinds.filter((kind) => depth < depthMax || (kind !== 'object' && kind !== 'array'))
  return (
    <Select
      {...props}
      size="sm"
      className={classes.kind ?? ''}
      data={offered.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
      value={kindOf(schema)}
      searchable
      selectFirstOptionOnChange
      allowDeselect={false}
      checkIconPosition="right"
      comboboxProps={{ shadow: 'md', width: 220, position: 'bottom-start' }}
      maxDropdownHeight={320}
      onChange={(kind) => onChange(ofKind(kind as Kind, schema))}
    />
  )
}
