import { TextInput } from '@mantine/core'
import type { ControlProps } from '../control.ts'
import classes from './labels-control.module.css'

/** A label for each option. An option without a label is shown as it is. */
export function LabelsControl({ schema, value, onChange, id, describedBy, isInvalid }: ControlProps) {
  const labels = typeof value === 'object' && value !== null ? (value as Record<string, string>) : {}
  const change = (option: string, label: string) => {
    const { [option]: _, ...others } = labels
    const next = label === '' ? others : { ...others, [option]: label }
    onChange(Object.keys(next).length === 0 ? undefined : next)
  }
  return (
    <div className={classes.labels}>
      {(schema.examples ?? []).map(String).map((option, index) => (
        <TextInput
          key={option}
          id={index === 0 ? id : undefined}
          size="sm"
          leftSection={<span className={classes.option}>{option}</span>}
          leftSectionWidth={110}
          aria-label={`Label of ${option}`}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          placeholder={option}
          value={Object.hasOwn(labels, option) ? labels[option] : ''}
          maxLength={255}
          onChange={({ currentTarget }) => change(option, currentTarget.value)}
        />
      ))}
    </div>
  )
}
