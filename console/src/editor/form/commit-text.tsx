import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'error'> {
  value: string
  /** Why the text is not valid; undefined if it is. */
  problemOf(text: string): string | undefined
  onCommit(text: string): void
}

/** A text field that commits on blur or Enter, because other values depend on it. Escape resets it. */
export function CommitText({ value, problemOf, onCommit, ...props }: Props) {
  const [typed, setTyped] = useState<string>()
  const problem = typed === undefined || typed === value ? undefined : problemOf(typed)
  const commit = () => {
    setTyped(undefined)
    if (typed !== undefined && typed !== value && problem === undefined) onCommit(typed)
  }
  return (
    <TextInput
      {...props}
      spellCheck={false}
      value={typed ?? value}
      error={problem}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && problem === undefined) commit()
        else if (event.key === 'Escape' && typed !== undefined) {
          event.stopPropagation()
          setTyped(undefined)
        }
      }}
    />
  )
}
