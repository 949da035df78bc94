import { Autocomplete } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fontsQuery } from '../../../api/fonts.ts'
import type { ControlProps } from '../control.ts'

/** A font family: uploaded fonts, and the fonts of the service, which the schema has as examples. */
export function FontControl({ schema, value, onChange, id, describedBy, isInvalid, placeholder }: ControlProps) {
  const { data } = useQuery(fontsQuery)
  const uploaded = [...new Set(data?.map(({ family }) => family))]
  const shipped = (schema.examples ?? []).map(String).filter((family) => !uploaded.includes(family))
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
