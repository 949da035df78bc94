import { ActionIcon, ColorPicker, Group, Popover, Stack, TextInput, Tooltip } from '@mantine/core'
import { useEyeDropper } from '@mantine/hooks'
import { Pipette } from 'lucide-react'
import { useMemo } from 'react'
import { usePossibleEditor } from '../../state/editor-context.ts'
import { swatchesOf, toHex } from '../colors.ts'
import type { ControlProps } from '../control.ts'
import classes from './color-control.module.css'

/** Any CSS colour as text, with a picker, the colours of the open document and an eyedropper. */
export function ColorControl(props: ControlProps) {
  const { schema, value, onChange, id, describedBy, isInvalid, placeholder } = props
  const text = typeof value === 'string' ? value : ''
  const effective = text === '' ? String(schema.default ?? '') : text
  return (
    <Group gap={4} wrap="nowrap">
      <TextInput
        flex={1}
        id={id}
        size="sm"
        value={text}
        placeholder={placeholder}
        spellCheck={false}
        error={isInvalid}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        leftSection={<ColorPopover effective={effective} onChange={onChange} />}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
      />
      {!props.isDense && <EyeDropper onChange={onChange} />}
    </Group>
  )
}

function ColorPopover({ effective, onChange }: { effective: string; onChange(value: string): void }) {
  return (
    <Popover position="bottom-start" shadow="md" withinPortal trapFocus>
      <Popover.Target>
        <button
          type="button"
          className={`${classes.swatch} tt-checker`}
          aria-label={`Choose a colour: ${effective || 'none'}`}
        >
          <span style={{ background: effective }} />
        </button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <PickerPane effective={effective} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  )
}

function PickerPane({ effective, onChange }: { effective: string; onChange(value: string): void }) {
  const store = usePossibleEditor()?.document
  const swatches = useMemo(() => swatchesOf(store?.getState().document), [store])
  return (
    <Stack gap="xs">
      <ColorPicker
        format="hexa"
        value={toHex(effective) ?? '#000000ff'}
        swatches={swatches}
        swatchesPerRow={8}
        saturationLabel="Saturation and brightness"
        hueLabel="Hue"
        alphaLabel="Opacity"
        onChange={(hex) => onChange(hex.replace(/^(#[0-9a-f]{6})ff$/i, '$1'))}
      />
    </Stack>
  )
}

function EyeDropper({ onChange }: { onChange(value: string): void }) {
  const { supported, open } = useEyeDropper()
  if (!supported) return null
  const pick = async () => {
    const picked = await open().catch(() => undefined)
    if (picked !== undefined) onChange(picked.sRGBHex)
  }
  return (
    <Tooltip label="Pick a colour from the screen">
      <ActionIcon variant="default" size={32} aria-label="Pick a colour from the screen" onClick={() => void pick()}>
        <Pipette size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
