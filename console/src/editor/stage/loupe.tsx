import type { Picture } from './picture.ts'
import type { Point } from './shape.ts'
import classes from './stage.module.css'
import { toScreen, type View } from './view.ts'

const magnification = 4
const side = 132
/** Distance from the point. */
const gap = 28

interface Props {
  picture: Picture
  /** The point in the middle, in pixels of the image. */
  at: Point
  view: View
}

/** The part of the picture around a corner, four times as large as on the stage. */
export function Loupe({ picture, at, view }: Props) {
  const [x, y] = toScreen(view, at)
  const scale = view.zoom * magnification
  const { width, height } = picture.size
  const left = x > side + gap ? x - side - gap : x + gap
  const top = y > side + gap ? y - side - gap : y + gap
  return (
    <div
      className={classes.loupe}
      aria-hidden
      data-loupe
      style={{
        width: side,
        height: side,
        transform: `translate(${left}px, ${top}px)`,
        backgroundImage: `url("${picture.url}")`,
        backgroundSize: `${width * scale}px ${height * scale}px`,
        backgroundPosition: `${side / 2 - at[0] * scale}px ${side / 2 - at[1] * scale}px`,
      }}
    />
  )
}
