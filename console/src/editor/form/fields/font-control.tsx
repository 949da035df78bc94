import { Autocomplete } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fontsQuery } from '../../../api/fonts.ts'
import { operationsQuery } from '../../../api/operations.ts'
import type { Operation } from '../../../api/types.ts'
import type { ControlProps } from '../control.ts'
import type { JsonSchema } from '../schema.ts'

/** The fonts that an operation names. */
function includedFonts(operations: readonly Operation[]): readonly unknown[] {
  for (const { params } of operations) {
    const examples = (params as JsonSchema).properties?.font?.examples
    if (examples !== undefined) return examples
  }
  return []
}

/** A font family: uploaded fonts, and the fonts of the service, which the schema can have as examples. */
export function FontControl({ schema, value, onChange, id, describedBy, isInvalid, placeholder }: ControlProps) {
  const { data } = useQuery(fontsQuery)
  const uploaded = [...new Set(data?.map(({ family }) => family))]
  const { data: operations = [] } = useQuery(operationsQuery)
  const shipped = (schema.examples ?? includedFonts(operations))
    .map(String)
    .filter((family) => !uploaded.includes(family))
  return (
    <Autocomplete
      id={id}
      size="sm"
      data={[
        ...(uploaded.length > 0 ? [{ group: 'Uploaded', items: uploaded }] : []),
        { group: 'Included', items: shipped },
      ]}
      value={typeof value === 'string' ? value : ''}
      placeholder={placeholder}
      error={isInvalid}
      comboboxProps={{ shadow: 'md' }}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onChange={(family) => onChange(family === '' ? undefined : family)}
    />
  )
}
