import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

interface Props extends Omit<NumberInputProps, 'value' | 'onChange'> {
  value: number | undefined
  onChange(value: number | undefined): void
}

/** A number field that keeps the text as it is typed: on the way to `0.05`, `0.` is 0 and stays `0.`. */
export function TypedNumberInput({ value, onChange, ...props }: Props) {
  const [typed, setTyped] = useState<string | number>('')
  return (
    <NumberInput
      {...props}
      value={numberOf(typed) === value ? typed : (value ?? '')}
      onChange={(next) => {
        setTyped(next)
        onChange(numberOf(next))
      }}
    />
  )
}

function numberOf(typed: string | number): number | undefined {
  const value = typed === '' ? Number.NaN : Number(typed)
  return Number.isFinite(value) ? value : undefined
}
