import { ActionIcon, Button, Loader, SegmentedControl, Slider, Text, Tooltip } from '@mantine/core'
import { Brush, Contrast, Eraser, Redo2, Trash2, Undo2 } from 'lucide-react'
import classes from './mask.module.css'

/** Pixels of the image. */
export interface BrushSettings {
  isErasing: boolean
  size: number
  feather: number
}

interface Props {
  brush: BrushSettings
  sizeMax: number
  canUndo: boolean
  canRedo: boolean
  isSaving: boolean
  onChange(part: Partial<BrushSettings>): void
  onInvert(): void
  onUndo(): void
  onRedo(): void
  onClear(): void
  onLeave(): void
}

const featherMax = 100

/** The tools of the mask, over the picture. */
export function MaskBar(props: Props) {
  const { brush, sizeMax, canUndo, canRedo, isSaving, onChange, onInvert, onUndo, onRedo, onClear, onLeave } = props
  return (
    <div
      className={classes.bar}
      role="toolbar"
      aria-label="Mask"
      data-mask-saving={isSaving || undefined}
      onPointerDown={(event) => event.stopPropagation()}
    >
      <SegmentedControl
        size="xs"
        aria-label="Tool"
        data={[
          { value: 'brush', label: <Tool Icon={Brush} name="Brush" /> },
          { value: 'eraser', label: <Tool Icon={Eraser} name="Eraser" /> },
        ]}
        value={brush.isErasing ? 'eraser' : 'brush'}
        onChange={(value) => onChange({ isErasing: value === 'eraser' })}
      />
      <Setting name="Size" value={brush.size} min={1} max={sizeMax} onChange={(size) => onChange({ size })} />
      <Setting
        name="Feather"
        value={brush.feather}
        min={0}
        max={featherMax}
        onChange={(feather) => onChange({ feather })}
      />
      <div className={classes.buttons}>
        <Action label="Invert (I)" Icon={Contrast} onClick={onInvert} />
        <Action label="Undo (Ctrl+Z)" Icon={Undo2} isDisabled={!canUndo} onClick={onUndo} />
        <Action label="Redo (Ctrl+Shift+Z)" Icon={Redo2} isDisabled={!canRedo} onClick={onRedo} />
        <Action label="Clear the mask" Icon={Trash2} onClick={onClear} />
      </div>
      <Button size="compact-sm" className={classes.done ?? ''} onClick={onLeave}>
        {isSaving ? <Loader size={14} color="white" aria-label="The mask is being saved" /> : 'Done'}
      </Button>
    </div>
  )
}

function Tool({ Icon, name }: { Icon: typeof Brush; name: string }) {
  return (
    <span className={classes.tool}>
      <Icon size={14} aria-hidden />
      {name}
    </span>
  )
}

interface SettingProps {
  name: string
  value: number
  min: number
  max: number
  onChange(value: number): void
}

function Setting({ name, value, min, max, onChange }: SettingProps) {
  return (
    <div className={classes.setting}>
      <Text size="xs">{name}</Text>
      <Slider
        {...{ value, min, max, onChange }}
        size="sm"
        w={96}
        label={null}
        thumbLabel={`${name}, pixels of the image`}
      />
      <Text size="xs" c="dimmed" w={44} ta="right">
        {value} px
      </Text>
    </div>
  )
}

interface ActionProps {
  label: string
  Icon: typeof Brush
  isDisabled?: boolean
  onClick(): void
}

function Action({ label, Icon, isDisabled = false, onClick }: ActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        // It keeps the focus, unlike with `disabled`.
        {...(isDisabled ? { 'aria-disabled': true, 'data-disabled': true } : { onClick })}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
