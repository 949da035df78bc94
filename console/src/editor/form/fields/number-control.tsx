import { ActionIcon, Group, Slider, TextInput, Tooltip } from '@mantine/core'
import { Dices } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { ControlProps } from '../control.ts'
import { numberOf, stepped } from '../number-text.ts'
import { sliderOf, stepOf } from '../schema.ts'
import classes from './number-control.module.css'

/** A number field, with a slider for a small range. Reports a value outside the bounds instead of changing it. */
export function NumberControl(props: ControlProps) {
  const { schema, name, value, onChange, labelId } = props
  const slider = props.isDense ? undefined : sliderOf(schema)
  const current = typeof value === 'number' ? value : typeof schema.default === 'number' ? schema.default : undefined
  if (slider === undefined && name === 'seed') return <SeedControl {...props} />
  if (slider === undefined) return <NumberEntry {...props} />
  const origin = slider.min < 0 && slider.max > 0 ? 0 : slider.min
  return (
    <Group gap="sm" wrap="nowrap">
      {/* Without a default, no place on the slider is the value that is used. The entry keeps its place, and so the focus, when a value is typed. */}
      {current !== undefined && (
        <Slider
          flex={1}
          size="sm"
          {...slider}
          label={null}
          value={Math.min(Math.max(current, slider.min), slider.max)}
          startPointValue={origin}
          onChange={onChange}
          thumbSize={16}
          thumbProps={{ 'aria-labelledby': labelId }}
          className={classes.slider ?? ''}
          data-unset={value === undefined || undefined}
        />
      )}
      <NumberEntry {...props} isNarrow={current !== undefined} />
    </Group>
  )
}

/** Keeps the text as it is typed. Text that is not a number becomes the value, so that its problem is reported. */
function NumberEntry({ isNarrow = false, ...props }: ControlProps & { isNarrow?: boolean }) {
  const { schema, value, onChange, id, describedBy, isInvalid, placeholder } = props
  const [typed, setTyped] = useState('')
  const text = numberOf(typed) === value ? typed : String(value ?? '')
  const unit = schema['x-unit'] === 'deg' ? '°' : schema['x-unit']
  const range = (schema.maximum ?? 1e9) - (schema.minimum ?? 0)
  const step = schema.multipleOf ?? stepOf(schema.type, range)
  const start = typeof schema.default === 'number' ? schema.default : (schema.minimum ?? 0)
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const sign = event.key === 'ArrowUp' ? 1 : -1
    onChange(typeof value === 'number' ? stepped(value, sign * step, schema) : start)
  }
  return (
    <TextInput
      id={id}
      size="sm"
      w={isNarrow ? 96 : '100%'}
      flex={isNarrow ? 'none' : 1}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      placeholder={isNarrow ? String(schema.default) : placeholder}
      {...(unit === undefined
        ? {}
        : { rightSection: unit, rightSectionWidth: 20 + unit.length * 8, rightSectionPointerEvents: 'none' as const })}
      error={isInvalid}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onKeyDown={move}
      onBlur={() => setTyped('')}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(numberOf(currentTarget.value))
      }}
    />
  )
}

/** A random seed, with a button for another one. */
function SeedControl(props: ControlProps) {
  const { schema, onChange } = props
  const roll = () => onChange(Math.floor(Math.random() * ((schema.maximum ?? 2_147_483_647) + 1)))
  return (
    <Group gap={4} wrap="nowrap">
      <NumberEntry {...props} />
      <Tooltip label="New random seed">
        <ActionIcon variant="default" size={32} aria-label="New random seed" onClick={roll}>
          <Dices size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
