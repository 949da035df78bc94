import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'error'> {
  value: string
  /** Why it cannot be so; undefined when it can. */
  problemOf(text: string): string | undefined
  onCommit(text: string): void
}

/** Text that counts when it is left or Enter is pressed, since others follow it; Escape takes back what was typed. */
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
