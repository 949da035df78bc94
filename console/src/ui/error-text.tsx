import { Text, type TextProps } from '@mantine/core'

/** The message of an error. Nothing without an error. */
export function ErrorText({ error, ...props }: { error: Error | null } & TextProps) {
  if (error === null) return null
  return (
    <Text c="red" role="alert" {...props}>
      {error.message}
    </Text>
  )
}
