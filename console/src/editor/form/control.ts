import type { JsonSchema } from './schema.ts'

/** What a widget for one value is given. */
export interface ControlProps {
  schema: JsonSchema
  name: string
  value: unknown
  onChange(value: unknown): void
  /** Of the element that takes the focus. */
  id: string
  /** For groups of elements, which no `<label for>` can name. */
  labelId: string
  describedBy?: string | undefined
  isInvalid: boolean
  /** The default, as text. */
  placeholder: string
  /** Little room: no slider, no second button. */
  isDense?: boolean | undefined
}
