import { ActionIcon, Code, Input, Textarea, TextInput, Tooltip } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { ColorControl } from '../../editor/form/fields/color-control.tsx'
import { FontControl } from '../../editor/form/fields/font-control.tsx'
import { ImageControl } from '../../editor/form/fields/image-control.tsx'
import classes from './brand.module.css'
import type { Kind, Row } from './rows.ts'

interface Props {
  row: Row
  onChange(change: Partial<Row>): void
  onRemove(): void
  nameProblem: string | undefined
  valueProblem: string | undefined
  descriptionProblem: string | undefined
  isNew: boolean
}

const valueLabels: Record<Kind, string> = { color: 'Colour', font: 'Font', image: 'Image', text: 'Text' }

/** The fields of one brand value. */
export function ValueRow({ row, onChange, onRemove, isNew, nameProblem, descriptionProblem, ...value }: Props) {
  const { name, type, description } = row
  const nameInput = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNew) nameInput.current?.select()
  }, [isNew])
  return (
    <li className={classes.row} aria-label={name}>
      <TextInput
        ref={nameInput}
        label="Name"
        value={name}
        spellCheck={false}
        error={nameProblem}
        description={<Code fz="xs">{`{{ brand.${name} }}`}</Code>}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <ValueField {...value} row={row} label={valueLabels[type]} onChange={(text) => onChange({ value: text })} />
      <TextInput
        label="Description"
        placeholder="Optional"
        value={description}
        error={descriptionProblem}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
      />
      <Tooltip label="Delete">
        <ActionIcon variant="subtle" color="red" size={32} mt={24} aria-label={`Delete ${name}`} onClick={onRemove}>
          <Trash2 size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}

interface FieldProps extends Pick<Props, 'row' | 'valueProblem'> {
  label: string
  onChange(text: string): void
}

function ValueField({ row: { type, name, value }, label, valueProblem, onChange }: FieldProps) {
  const id = useId()
  const problem = valueProblem && `${label} ${valueProblem}`
  if (type === 'text')
    return (
      <Textarea
        label={label}
        autosize
        minRows={1}
        maxRows={6}
        value={value}
        error={problem}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  const Control = controls[type]
  return (
    <Input.Wrapper
      label={label}
      labelProps={{ htmlFor: id, id: `${id}-label` }}
      error={problem}
      errorProps={{ id: `${id}-problem` }}
    >
      <Control
        schema={{}}
        name={name}
        value={value}
        onChange={(next) => onChange(typeof next === 'string' ? next : '')}
        id={id}
        labelId={`${id}-label`}
        describedBy={valueProblem === undefined ? undefined : `${id}-problem`}
        isInvalid={valueProblem !== undefined}
        placeholder={type === 'font' ? 'Inter' : ''}
      />
    </Input.Wrapper>
  )
}

const controls = { color: ColorControl, font: FontControl, image: ImageControl }
