import { Textarea } from '@mantine/core'
import { useState } from 'react'
import type { ControlProps } from '../control.ts'
import { numbersOf } from '../value.ts'

/** A value as text. Keeps the typed text while it is not valid. */
function ReadText({
  props,
  write,
  read,
  problem,
}: {
  props: ControlProps
  write(value: unknown): string
  /** Undefined if the text is not valid. */
  read(text: string): unknown
  problem: string
}) {
  const { value, onChange, id, describedBy, isInvalid, placeholder } = props
  const [typed, setTyped] = useState<string>()
  const isWrong = typed !== undefined && typed.trim() !== '' && read(typed) === undefined
  return (
    <Textarea
      id={id}
      size="sm"
      autosize
      minRows={1}
      maxRows={12}
      spellCheck={false}
      value={typed ?? write(value)}
      placeholder={placeholder}
      error={isWrong ? problem : isInvalid}
      aria-describedby={describedBy}
      aria-invalid={isInvalid || isWrong}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text)
        const next = text.trim() === '' ? undefined : read(text)
        if (text.trim() === '' || next !== undefined) onChange(next)
      }}
      onBlur={() => {
        if (!isWrong) setTyped(undefined)
      }}
    />
  )
}

/** Any JSON, for values without a better widget. */
export function JsonControl(props: ControlProps) {
  return (
    <ReadText
      props={props}
      write={(value) => {
        // Text that isn't JSON, which an execution would reject.
        if (props.schema['x-json'] === true && typeof value === 'string') return value
        return value === undefined ? '' : JSON.stringify(value, null, 1)
      }}
      read={readJson}
      problem="isn’t valid JSON"
    />
  )
}

export function NumbersControl(props: ControlProps) {
  return (
    <ReadText
      props={{ ...props, placeholder: props.schema.default === undefined ? 'such as 12, 18, 7' : props.placeholder }}
      write={(value) => (Array.isArray(value) ? value.join(', ') : '')}
      read={numbersOf}
      problem="must be numbers separated by commas"
    />
  )
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
