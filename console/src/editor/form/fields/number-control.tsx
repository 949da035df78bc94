import { ActionIcon, Group, NumberInput, Slider, Tooltip } from '@mantine/core'
import { Dices } from 'lucide-react'
import type { ControlProps } from '../control.ts'
import { sliderOf, stepOf } from '../schema.ts'
import classes from './number-control.module.css'

/** A number field, with a slider for a small range. Reports a value outside the bounds instead of changing it. */
export function NumberControl(props: ControlProps) {
  const { schema, name, value, onChange, labelId } = props
  const slider = props.isDense ? undefined : sliderOf(schema)
  const now = typeof value === 'number' ? value : typeof schema.default === 'number' ? schema.default : undefined
  if (slider === undefined && name === 'seed') return <SeedControl {...props} />
  if (slider === undefined) return <NumberEntry {...props} />
  const origin = slider.min < 0 && slider.max > 0 ? 0 : slider.min
  return (
    <Group gap="sm" wrap="nowrap">
      <Slider
        flex={1}
        size="sm"
        {...slider}
        label={null}
        value={Math.min(Math.max(now ?? origin, slider.min), slider.max)}
        startPointValue={origin}
        onChange={onChange}
        thumbSize={16}
        thumbProps={{ 'aria-labelledby': labelId }}
        className={classes.slider ?? ''}
        data-unset={value === undefined || undefined}
      />
      <NumberEntry {...props} isNarrow />
    </Group>
  )
}

function NumberEntry({ isNarrow = false, ...props }: ControlProps & { isNarrow?: boolean }) {
  const { schema, value, onChange, id, describedBy, isInvalid, placeholder } = props
  const unit = schema['x-unit']
  const range = (schema.maximum ?? 1e9) - (schema.minimum ?? 0)
  const suffix =
    unit === undefined ? '' : unit === 'deg' ? '°' : unit === '%' ? '%' : unit === 'px' ? ' px' : ` ${unit}`
  return (
    <NumberInput
      id={id}
      size="sm"
      w={isNarrow ? 96 : '100%'}
      flex={isNarrow ? 'none' : 1}
      value={typeof value === 'number' || typeof value === 'string' ? value : ''}
      placeholder={placeholder === '' ? '' : placeholder + suffix}
      suffix={suffix}
      clampBehavior="none"
      allowDecimal={schema.type !== 'integer'}
      allowNegative={(schema.minimum ?? -1) < 0}
      step={schema.multipleOf ?? stepOf(schema.type, range)}
      startValue={typeof schema.default === 'number' ? schema.default : (schema.minimum ?? 0)}
      {...(schema.minimum === undefined ? {} : { min: schema.minimum })}
      {...(schema.maximum === undefined ? {} : { max: schema.maximum })}
      hideControls={isNarrow}
      error={isInvalid}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onChange={(next) => {
        if (next === '') onChange(undefined)
        else if (typeof next === 'number') onChange(next)
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
