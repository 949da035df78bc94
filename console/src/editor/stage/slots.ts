/** Slots: the bounds of a frame that params set, with the values and limits that these params have in the document. */
import { type Anchor, anchors } from '../../../../shared/anchors.ts'
import type { Frame, FrameBound } from '../../../../shared/frames.ts'
import { readValue } from '../../../../shared/parameters.ts'
import { alternativesOf, isTemplate, typesOf } from '../../../../shared/values.ts'
import type { Parameter, ParameterValues } from '../../api/workflow-document.ts'
import type { Size } from '../document/geometry.ts'
import { pathKeys, valueAt } from '../document/path.ts'
import { onlyParameter, referencesIn } from '../document/references.ts'
import { type JsonSchema, schemaAt } from '../form/schema.ts'

export interface Slot {
  bound: FrameBound
  /** Path in the params of the node. */
  param: string
  origin: number
  scale: number
  /** The limits of the param, in its own unit. */
  min: number
  max: number
  /** Values are multiples of it; undefined for any number. */
  step: number | undefined
  /** The value of the param, in its own unit. Undefined if the document has none, or it is not known before a run. */
  value: number | undefined
  /** The parameter of the workflow whose value the handle edits, if the param is only `{{ name }}`. */
  parameter?: string
  /** The param or an object around it is another template, and depends on these. A locked bound can't be moved. */
  lockedBy?: readonly string[]
}

export type Slots = Partial<Record<FrameBound, Slot>>

/** The compass point that places a box. */
export interface AnchorSlot {
  /** Path in the params of the node. */
  param: string
  value: Anchor
  /** The image that the box is in. */
  size: Size
  /** The names that a template of the point depends on. A locked point can't be changed, but the margin can. */
  lockedBy?: readonly string[]
  /** The bounds that place the box without the point, if there are any. */
  free: Pick<Slots, 'x' | 'y'>
}

interface Source {
  /** The params of the node in the document. */
  params: Readonly<Record<string, unknown>>
  /** The schema of these params. */
  schema: JsonSchema
  parameters: readonly Parameter[]
  /** The values of the run form. */
  values: ParameterValues
}

export function slotsOf(frame: Frame, source: Source): Slots {
  const entries = Object.entries(frame.binds) as [FrameBound, { param: string; origin?: number; scale?: number }][]
  return Object.fromEntries(
    entries.map(([bound, { param, origin = 0, scale = 1 }]): [FrameBound, Slot] => {
      const schema = schemaAt(source.schema, param)
      const slot: Slot = { bound, param, origin, scale, ...limitsOf(schema), value: undefined }
      const template = templateAt(source.params, param)
      if (template === undefined) {
        const value = valueAt(source.params, param) ?? schema.default
        return [bound, typeof value === 'number' ? { ...slot, value } : slot]
      }
      const name = onlyParameter(valueAt(source.params, param))
      const parameter = source.parameters.find((declared) => declared.name === name && declared.type === 'number')
      if (parameter === undefined) return [bound, { ...slot, lockedBy: namesIn(template) }]
      const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = parameter
      return [
        bound,
        {
          ...slot,
          min: Math.max(slot.min, minimum),
          max: Math.min(slot.max, maximum),
          value: numberOf(source.values[parameter.name]) ?? defaultOf(parameter),
          parameter: parameter.name,
        },
      ]
    }),
  )
}

/** The slots that apply to a frame with a compass point: its margin, or `x` and `y` if one of them has a value. */
export function placeOf(frame: Frame, source: Source): { slots: Slots; anchor?: AnchorSlot } {
  const slots = slotsOf(frame, source)
  if (frame.anchor === undefined) return { slots }
  const { param, value, size } = frame.anchor
  const [width, height] = size
  const { margin, ...unanchored } = slots
  const { x, y, ...others } = unanchored
  const isPlaced = [x, y].some((slot) => slot !== undefined && valueAt(source.params, slot.param) !== undefined)
  if (isPlaced) return { slots: unanchored }
  const template = templateAt(source.params, param)
  const given = anchors.find(
    (each) => each === (valueAt(source.params, param) ?? schemaAt(source.schema, param).default),
  )
  return {
    slots: { ...others, ...(margin && { margin }) },
    anchor: {
      ...{ param, value: given ?? value, size: { width, height } },
      ...(template !== undefined && { lockedBy: namesIn(template) }),
      free: { ...(x && { x }), ...(y && { y }) },
    },
  }
}

export function isFree(slot: Slot | undefined): slot is Slot {
  return slot !== undefined && slot.lockedBy === undefined
}

/** The bound, in pixels of the image, that the value of the param gives. */
export function boundOf(slot: Slot): number | undefined {
  return slot.value === undefined ? undefined : slot.value * slot.scale + slot.origin
}

/** The valid value of the param that is nearest to a bound. */
export function valueFor(slot: Slot, bound: number): number {
  const { min, max, step, origin, scale } = slot
  const exact = (bound - origin) / scale
  const unit = step ?? precision(scale)
  const stepped = Math.round(exact / unit) * unit
  // Limits are valid values, also between two steps of the precision.
  const value = Math.min(Math.max(stepped, min), max)
  return Number(value.toFixed(decimalsMax)) + 0
}

/** The bound of the nearest valid value: a handle never shows a position that the param can't have. */
export function nearestBound(slot: Slot | undefined, bound: number): number {
  return slot === undefined ? bound : valueFor(slot, bound) * slot.scale + slot.origin
}

const decimalsMax = 9

/** A power of ten that is at most one pixel: 1 for pixels, 0.0001 for a share of 1200 pixels. */
function precision(scale: number): number {
  const digits = Math.ceil(Math.log10(Math.max(Math.abs(scale), 1)) - 1e-9)
  return 10 ** -digits
}

function limitsOf(schema: JsonSchema): Pick<Slot, 'min' | 'max' | 'step'> {
  const numeric = alternativesOf(schema).find(({ type }) => type === 'integer' || type === 'number') ?? schema
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, multipleOf } = numeric
  const isWhole = typesOf(schema).includes('integer') && !typesOf(schema).includes('number')
  return { min: minimum, max: maximum, step: multipleOf ?? (isWhole ? 1 : undefined) }
}

/** The template at the path or around it. */
function templateAt(params: Readonly<Record<string, unknown>>, path: string): string | undefined {
  const keys = pathKeys(path)
  const values = keys.map((_, index) => valueAt(params, keys.slice(0, index + 1).join('.')))
  return values.find(isTemplate)
}

function namesIn(template: string): string[] {
  const names = referencesIn(template).map((reference) =>
    reference.kind === 'node' ? `nodes.${reference.name}` : reference.name,
  )
  return [...new Set(names)]
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(read) ? read : undefined
}

function defaultOf(parameter: Parameter): number | undefined {
  return parameter.default === undefined ? undefined : numberOf(readValue(parameter, parameter.default).value)
}
