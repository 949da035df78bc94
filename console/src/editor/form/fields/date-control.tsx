import { TextInput } from '@mantine/core'
import type { ControlProps } from '../control.ts'

/** A day, with the date picker of the browser. */
export function DateControl({ value, onChange, id, describedBy, isInvalid }: ControlProps) {
  return (
    <TextInput
      id={id}
      size="sm"
      type="date"
      value={typeof value === 'string' ? value : ''}
      error={isInvalid}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onChange={({ currentTarget: { value: day } }) => onChange(day === '' ? undefined : day)}
    />
  )
}
