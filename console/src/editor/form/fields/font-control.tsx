import { Autocomplete } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fontsQuery } from '../../../api/fonts.ts'
import type { Catalogue } from '../../../api/operations.ts'
import { usePossibleEditor } from '../../state/editor-context.ts'
import type { ControlProps } from '../control.ts'
import type { JsonSchema } from '../schema.ts'

/** For a parameter: the fonts that an operation names. */
function includedFonts(catalogue: Catalogue): readonly unknown[] {
  for (const { params } of catalogue.values()) {
    const examples = (params as JsonSchema).properties?.font?.examples
    if (examples !== undefined) return examples
  }
  return []
}

/** A font family: uploaded fonts, and the fonts of the service, which the schema has as examples. */
export function FontControl({ schema, value, onChange, id, describedBy, isInvalid, placeholder }: ControlProps) {
  const { data } = useQuery(fontsQuery)
  const uploaded = [...new Set(data?.map(({ family }) => family))]
  const catalogue = usePossibleEditor()?.catalogue
  const shipped = (schema.examples ?? (catalogue === undefined ? [] : includedFonts(catalogue)))
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
