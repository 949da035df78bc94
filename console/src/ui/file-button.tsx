import { type FileButtonProps, FileButton as MantineFileButton } from '@mantine/core'
import { useRef } from 'react'

/** Opens the file dialog. The same file can be chosen again, for example after it was corrected: the browser reports only changes. */
export function FileButton<Multiple extends boolean = false>({ onChange, ...props }: FileButtonProps<Multiple>) {
  const reset = useRef<() => void>(null)
  return (
    <MantineFileButton<Multiple>
      {...props}
      resetRef={reset}
      onChange={(chosen) => {
        reset.current?.()
        onChange(chosen)
      }}
    />
  )
}
