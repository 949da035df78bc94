/** Positions of a smaller rectangle on a larger one: compass points, as in sharp's gravity. */
export const anchors = [
  'center',
  'north',
  'north-east',
  'east',
  'south-east',
  'south',
  'south-west',
  'west',
  'north-west',
] as const

export type Anchor = (typeof anchors)[number]

interface Size {
  width: number
  height: number
}

/** The top left corner of a rectangle on another. The margin is measured from the sides that the anchor names. */
export function anchored(size: Size, on: Size, anchor: Anchor, margin: number): { x: number; y: number } {
  const free = { x: on.width - size.width, y: on.height - size.height }
  const [across, down] = sidesOf(anchor)
  const at = (side: -1 | 0 | 1, length: number) =>
    side === -1 ? margin : side === 1 ? length - margin : Math.floor(length / 2)
  return { x: at(across, free.x), y: at(down, free.y) }
}

/** The sides that an anchor names, across and down. -1: left or top. 1: right or bottom. 0: neither. */
export function sidesOf(anchor: Anchor): readonly [-1 | 0 | 1, -1 | 0 | 1] {
  return [
    anchor.endsWith('west') ? -1 : anchor.endsWith('east') ? 1 : 0,
    anchor.startsWith('north') ? -1 : anchor.startsWith('south') ? 1 : 0,
  ]
}
