import { SegmentedControl, Stack, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface Props<Value extends string> {
  label: string
  /** Labels by value. */
  options: Record<NoInfer<Value>, string>
  value: Value
  onChange(value: NoInfer<Value>): void
  /** Settings or explanations of the value, below it. */
  children?: ReactNode
}

/** A choice among a few values side by side, in a form. */
export function LabelledChoice<Value extends string>({ label, options, value, onChange, children }: Props<Value>) {
  const id = useId()
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500} id={id}>
        {label}
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        data={Object.entries<string>(options).map(([each, text]) => ({ value: each as Value, label: text }))}
        value={value}
        onChange={onChange}
      />
      {children}
    </Stack>
  )
}
