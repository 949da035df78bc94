import type { JsonSchema } from './schema.ts'

/** Props of a widget for one value. */
export interface ControlProps {
  schema: JsonSchema
  name: string
  /** Relative to the form: `box.x`. */
  path?: string | undefined
  value: unknown
  onChange(value: unknown): void
  /** The id of the element that takes the focus. */
  id: string
  /** Labels groups of elements, which `<label for>` cannot. */
  labelId: string
  describedBy?: string | undefined
  isInvalid: boolean
  /** Text of an empty entry: its default, or an example. Not a value. */
  placeholder: string
  /** Little space: without slider and second button. */
  isDense?: boolean | undefined
}
