import { Textarea, TextInput } from '@mantine/core'
import type { ControlProps } from '../control.ts'
import { widgetOf } from '../schema.ts'
import { valueOfEmptyText } from '../value.ts'

/** Text without templates, such as the value of a parameter. */
export function PlainText({ schema, name, value, onChange, id, describedBy, isInvalid, placeholder }: ControlProps) {
  const text = typeof value === 'string' ? value : ''
  const isLine = typeof schema.default === 'string' && schema.default.length < 40
  const common = {
    id,
    size: 'sm',
    value: text,
    placeholder: value === '' ? '' : placeholder,
    error: isInvalid,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange(currentTarget.value === '' ? valueOfEmptyText(schema) : currentTarget.value),
  }
  const widget = widgetOf(schema, name)
  return widget === 'multiline' ? (
    <Textarea {...common} autosize minRows={isLine ? 1 : 2} maxRows={12} />
  ) : (
    <TextInput {...common} {...(widget === 'url' ? { type: 'url', spellCheck: false } : {})} />
  )
}
