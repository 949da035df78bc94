import { ActionIcon, Button, Group } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { TypedNumberInput } from '../../../ui/typed-number-input.tsx'
import { useDrag } from '../../../ui/use-drag.ts'
import type { ControlProps } from '../control.ts'
import { type CurvePoint, curvePath, pointBetween } from '../curve.ts'
import classes from './points-control.module.css'

const step = 1
const largeStep = 10

/** A curve with points that are dragged, moved with arrow keys, or typed. */
export function PointsControl({ schema, value, onChange, id, labelId, isInvalid }: ControlProps) {
  const { minimum: from = 0, maximum: to = 255 } = schema.items?.items ?? {}
  const points = Array.isArray(value) ? (value as unknown[]).filter(isPoint) : []
  const line: CurvePoint[] = [
    [from, from],
    [to, to],
  ]
  const [selected, setSelected] = useState<number>()
  const setPoints = (next: readonly CurvePoint[]) =>
    onChange(next.length === 0 ? undefined : next.toSorted((a, b) => a[0] - b[0]))
  const add = (point: CurvePoint) => setPoints(points.length === 0 ? [...line, point] : [...points, point])
  const isFull = points.length >= (schema.maxItems ?? 32)
  return (
    <div className={classes.curve} data-wrong={isInvalid || undefined}>
      <CurveBox
        points={points}
        from={from}
        to={to}
        id={id}
        labelId={labelId}
        selected={selected}
        onChoose={setSelected}
        onAdd={isFull ? undefined : add}
        onMove={(index, point) => onChange(points.toSpliced(index, 1, point))}
        onRemove={(index) => setPoints(points.toSpliced(index, 1))}
      />
      {points.map((point, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: points have no identity but their place
        <Group key={index} gap={4} wrap="nowrap" data-chosen={index === selected || undefined}>
          {(['in', 'out'] as const).map((end, axis) => (
            <TypedNumberInput
              key={end}
              size="sm"
              flex={1}
              prefix={`${end} `}
              min={from}
              max={to}
              clampBehavior="none"
              hideControls
              aria-label={`Point ${index + 1}, ${end}`}
              value={point[axis]}
              onFocus={() => setSelected(index)}
              onChange={(next) => {
                if (next !== undefined)
                  onChange(points.toSpliced(index, 1, axis === 0 ? [next, point[1]] : [point[0], next]))
              }}
            />
          ))}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={`Remove point ${index + 1}`}
            onClick={() => setPoints(points.toSpliced(index, 1))}
          >
            <Trash2 size={14} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={isFull}
        onClick={() => (points.length === 0 ? setPoints(line) : add(pointBetween(points, from, to)))}
      >
        {points.length === 0 ? 'Start with a straight line' : 'Add a point'}
      </Button>
    </div>
  )
}

function isPoint(value: unknown): value is CurvePoint {
  return Array.isArray(value) && value.length === 2 && value.every((number) => typeof number === 'number')
}

interface BoxProps {
  points: readonly CurvePoint[]
  from: number
  to: number
  id: string
  labelId: string
  selected: number | undefined
  onChoose(index: number | undefined): void
  onAdd: ((point: CurvePoint) => void) | undefined
  onMove(index: number, point: CurvePoint): void
  onRemove(index: number): void
}

function CurveBox({ points, from, to, id, labelId, selected, onChoose, onAdd, onMove, onRemove }: BoxProps) {
  const box = useRef<SVGSVGElement>(null)
  const range = to - from
  const bounded = (number: number) => Math.round(Math.min(Math.max(number, from), to))
  const at = (event: { clientX: number; clientY: number }): CurvePoint => {
    const { left, top, width, height } = box.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    return [
      bounded(from + ((event.clientX - left) / width) * range),
      bounded(to - ((event.clientY - top) / height) * range),
    ]
  }
  const drag = useDrag<{ index: number; start: CurvePoint }>({
    onStart(event) {
      const index = Number((event.target as Element).getAttribute('data-point') ?? Number.NaN)
      const start = points[index]
      if (start !== undefined) return { index, start }
      onAdd?.(at(event))
      return undefined
    },
    onMove: ({ index }, { at: { x, y } }) => onMove(index, at({ clientX: x, clientY: y })),
    onEnd({ index, start }, isCancelled) {
      if (isCancelled) onMove(index, start)
    },
  })
  const onKeyDown = (event: KeyboardEvent, index: number, [x, y]: CurvePoint) => {
    const distance = event.shiftKey ? largeStep : step
    const moves: Record<string, CurvePoint> = {
      ArrowLeft: [x - distance, y],
      ArrowRight: [x + distance, y],
      ArrowUp: [x, y + distance],
      ArrowDown: [x, y - distance],
    }
    const to = moves[event.key]
    if (to !== undefined) onMove(index, [bounded(to[0]), bounded(to[1])])
    else if (event.key === 'Delete' || event.key === 'Backspace') onRemove(index)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset
    <svg
      ref={box}
      id={id}
      className={classes.box}
      viewBox={`${from} ${from} ${range} ${range}`}
      preserveAspectRatio="none"
      role="group"
      aria-labelledby={labelId}
      {...drag}
    >
      {/* Up is more, as on paper. */}
      <g transform={`matrix(1 0 0 -1 0 ${from + to})`}>
        {[0.25, 0.5, 0.75].map((part) => (
          <path
            key={part}
            className={classes.grid}
            d={`M ${from + part * range} ${from} v ${range} M ${from} ${from + part * range} h ${range}`}
          />
        ))}
        <path className={classes.grid} d={`M ${from} ${from} L ${to} ${to}`} />
        <path
          className={classes.line}
          d={points.length > 0 ? curvePath(points, from, to) : `M ${from} ${from} L ${to} ${to}`}
        />
        {points.map((point, index) => (
          <ellipse
            // biome-ignore lint/suspicious/noArrayIndexKey: points have no identity but their place
            key={index}
            className={classes.point}
            data-point={index}
            data-chosen={index === selected || undefined}
            cx={point[0]}
            cy={point[1]}
            rx={range / 45}
            ry={range / 45}
            role="slider"
            tabIndex={0}
            aria-label={`Point ${index + 1}: arrow keys move it, Delete removes it`}
            aria-valuenow={point[1]}
            aria-valuetext={`${point[0]} becomes ${point[1]}`}
            aria-valuemin={from}
            aria-valuemax={to}
            onFocus={() => onChoose(index)}
            onKeyDown={(event) => onKeyDown(event, index, point)}
            onDoubleClick={() => onRemove(index)}
          />
        ))}
      </g>
    </svg>
  )
}
