/**
 * Frames: where a step drew or read in its image. A record of a step has them, and the handles of the editor move them. They are
 * the only bridge from pixels to params, so the editor knows no operation by name.
 */
import type { Anchor } from './anchors.ts'

/**
 * box: a rectangle that the operation draws in, with its rotation. rect: a rectangle of the input that it keeps or reads. point:
 * one position. quad: four corners. line: from a start to an end. mask: the rectangle around the white pixels of a mask.
 */
export const frameKinds = ['box', 'rect', 'point', 'quad', 'line', 'mask'] as const
export type FrameKind = (typeof frameKinds)[number]

/**
 * The parts of a frame that a param can set. `x` and `y`: the left and top edge of a box or rect, or a point. `right` and `bottom`: its other edges.
 * `rotation`: degrees clockwise. `angle`: the direction of a line in degrees, 0 up, clockwise, as in CSS. `x1` to `y4`: the corners of
 * a quad, clockwise from the top left, or the ends of a line. `fontSize`: a length that grows with the height. `margin`: the distance
 * from the sides that the anchor names.
 */
export const frameBounds = [
  'x',
  'y',
  'width',
  'height',
  'right',
  'bottom',
  'rotation',
  'angle',
  'fontSize',
  'margin',
  'x1',
  'y1',
  'x2',
  'y2',
  'x3',
  'y3',
  'x4',
  'y4',
] as const
export type FrameBound = (typeof frameBounds)[number]

/** A param that sets a bound of a frame: value of the param = (bound - `origin`) / `scale`. */
export interface FrameBind {
  /** Path in the params of the node: `x`, `box.width` or `corners.0.x`. */
  param: string
  /** Default: 0. */
  origin?: number
  /** Pixels of the image for 1 of the param. Default: 1. A focus of 0 to 1 has the width; a margin at the right has -1. */
  scale?: number
}

/** The place of a box by a compass point: at the sides of the image that it names, and in the middle otherwise. */
export interface FrameAnchor {
  /** Path of the param with the compass point. */
  param: string
  /** The compass point of this step. */
  value: Anchor
  /** Width and height of the image that the box is in. */
  size: [number, number]
}

/** A line of text as it was drawn, in pixels of the image without the rotation of its frame. */
export interface FrameLine {
  x: number
  baseline: number
  width: number
}

/** A character that a person sees as one: its offset in the value, and the x of the edges where reading enters and leaves it. From right to left, the first is larger. */
export type TextCharacter = [start: number, from: number, to: number]

/** A line of a text and the places of a caret in it, in pixels of the image. Offsets are UTF-16 code units of the value of the param. */
export interface TextLine {
  /** Offset of its first character, also if that is not drawn. */
  start: number
  /** Offset after its last character: before a line break, or the start of the next line. */
  end: number
  /** Left edge; the place of the caret in a line without characters. */
  x: number
  width: number
  /** Top and height of a caret: ascent and descent of the font. */
  top: number
  height: number
  baseline: number
  rightToLeft: boolean
  /** The characters in reading order. Spaces at the end of the line have places beyond its edge. */
  characters: TextCharacter[]
}

/** Positions of a caret in a text that a frame draws. */
export interface FrameText {
  /** Path of the param with the text. */
  param: string
  /** Value of the param after templates. */
  value: string
  /** Font size as drawn, in pixels: less than the param `size` if the text was shrunk. */
  size: number
  /** All lines, also empty ones. Characters after the last line are cut off. Undefined for markup, whose tags have no place. */
  lines?: TextLine[]
}

export interface Frame {
  /** Unique in its step, and the same in each execution: `box`, `overlay`, `focus`. */
  id: string
  kind: FrameKind
  /** The image whose pixels the points are in: the result, or the input of the socket `socket`. */
  of: 'input' | 'result'
  /** The socket, with `of: input`. Default: the first. */
  socket?: string
  /** box, rect and mask: left top and right bottom. point: one. quad: four. line: start and end. Not rotated. */
  points: [number, number][]
  /** Degrees clockwise, about the centre of the frame. */
  rotation?: number
  /** The params that set it. A bound without an entry can't be moved by hand. One param of `width` and `height` keeps their ratio. */
  binds: Partial<Record<FrameBound, FrameBind>>
  /** The place of a box if the params of `x` and `y` have no values. */
  anchor?: FrameAnchor
  /** Params that are removed when one of `binds` is written, since they exclude each other: `strategy` of smart-crop. With `anchor`: only when `x` or `y` is. */
  removes?: string[]
  /** The lines of a text. */
  lines?: FrameLine[]
  /** Only in previews that request it. */
  text?: FrameText
}
