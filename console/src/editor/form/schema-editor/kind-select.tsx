import { Select } from '@mantine/core'
import { createContext, useContext } from 'react'
import type { ValueSchema } from '../../../../../shared/json-schema.ts'
import { isFormat, type Kind, kindLabels, kindOf, kinds, ofKind } from './kinds.ts'
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

/** Depth of nested schemas, as the service limits it. */
const depthMax = 5

/** The formats of texts that a value can have; undefined for all. */
export const FormatsContext = createContext<readonly string[] | undefined>(undefined)

/** The kind of a value: text, a number, an image, fields ... */
export function KindSelect({
  schema,
  depth,
  onChange,
  ...props
}: Pick<ValueProps, 'schema' | 'depth' | 'onChange'> & { id?: string; 'aria-label'?: string }) {
  const formats = useContext(FormatsContext)
  const offered = kinds.filter((kind) => {
    if (isFormat(kind)) return formats?.includes(kind) ?? true
    return depth < depthMax || (kind !== 'object' && kind !== 'array')
  })
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
