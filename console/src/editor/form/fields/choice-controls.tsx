import { SegmentedControl, type SegmentedControlProps, Select, Switch } from '@mantine/core'
import type { ControlProps } from '../control.ts'
import { anchorGrid, type JsonSchema } from '../schema.ts'
import classes from './choice-controls.module.css'

const searchableFrom = 8

/** A few options in a row. Marks the default if no option is chosen, and none for an invalid value. */
export function SegmentsControl({ schema, value, onChange, labelId, id }: ControlProps) {
  const options = schema.enum ?? []
  const selected = value === undefined ? schema.default : value
  return (
    <Segments
      id={id}
      radius="md"
      aria-labelledby={labelId}
      data-unset={value === undefined || undefined}
      data={options.map((option) => ({ value: String(option), label: labelOf(schema, option) }))}
      value={options.includes(selected) ? String(selected) : ''}
      onChange={(text) => onChange(options.find((option) => String(option) === text))}
    />
  )
}

function labelOf({ 'x-labels': labels = {} }: JsonSchema, option: unknown): string {
  const value = String(option)
  return Object.hasOwn(labels, value) ? (labels[value] ?? value) : value
}

/** Segments as wide as the form. */
export function Segments(props: SegmentedControlProps & { 'data-unset'?: true | undefined }) {
  return <SegmentedControl fullWidth size="xs" className={classes.segments ?? ''} {...props} />
}

export function SelectControl({ schema, value, onChange, id, describedBy, isInvalid, placeholder }: ControlProps) {
  const options = schema.enum ?? []
  return (
    <Select
      id={id}
      size="sm"
      data={options.map((option) => ({ value: String(option), label: labelOf(schema, option) }))}
      value={value === undefined ? null : String(value)}
      placeholder={placeholder || 'Choose'}
      searchable={options.length >= searchableFrom}
      selectFirstOptionOnChange
      allowDeselect={false}
      checkIconPosition="right"
      comboboxProps={{ shadow: 'md', withinPortal: true }}
      error={isInvalid}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onChange={(text) => onChange(options.find((option) => String(option) === text))}
    />
  )
}

/** Compass points in a grid, with other options (`attention`) next to it. */
export function AnchorControl({ schema, value, onChange, labelId, id }: ControlProps) {
  const options = (schema.enum ?? []).map(String)
  const others = options.filter((option) => !anchorGrid.includes(option))
  const selected = String(value ?? schema.default ?? '')
  const radio = (option: string, isFirst: boolean, isCell: boolean) => (
    <label key={option} className={isCell ? classes.anchor : classes.other} title={option}>
      <input
        type="radio"
        name={id}
        id={isFirst ? id : undefined}
        checked={selected === option}
        aria-label={option}
        onChange={() => onChange(option)}
        onClick={() => onChange(option)}
      />
      {isCell ? <span className={classes.dot} /> : <span>{option}</span>}
    </label>
  )
  return (
    <div
      className={classes.anchors}
      role="radiogroup"
      aria-labelledby={labelId}
      data-unset={value === undefined || undefined}
    >
      <div className={classes.anchorGrid}>{anchorGrid.map((option, index) => radio(option, index === 0, true))}</div>
      <div className={classes.others}>
        <span className={classes.chosen}>{selected === '' ? 'not set' : selected}</span>
        {others.map((option) => radio(option, false, false))}
      </div>
    </div>
  )
}

export function BooleanControl({ schema, value, onChange, id, describedBy }: ControlProps) {
  return (
    <Switch
      id={id}
      size="sm"
      checked={value === undefined ? schema.default === true : value === true}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}
