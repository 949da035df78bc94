import type { Picture } from './picture.ts'
import classes from './stage.module.css'
import type { StageContextValue } from './stage-context.ts'

interface StageImageProps {
  picture: Picture
  alt: string
  view: StageContextValue['view']
  isStale?: boolean
}

/** The picture, zoomed and moved. */
export function StageImage({ picture: { url, size }, alt, view: { zoom, offset }, isStale }: StageImageProps) {
  return (
    <img
      className={`${classes.picture} tt-checker`}
      src={url}
      alt={alt}
      draggable={false}
      data-stale={isStale || undefined}
      data-pixels={zoom >= 4 || undefined}
      style={{
        width: size.width,
        height: size.height,
        transform: `translate(${offset[0]}px, ${offset[1]}px) scale(${zoom})`,
      }}
    />
  )
}

const sideStep = 256

/** Pixels of the screen for the longer side of the picture, at most those of the image. In steps, so that zooming requests few sizes. */
export function sideOnScreen(picture: Picture | undefined, zoom: number): number {
  const { width, height } = picture?.size ?? { width: 0, height: 0 }
  const pixels = Math.max(width, height) * Math.min(zoom * window.devicePixelRatio, 1)
  return Math.ceil(pixels / sideStep) * sideStep
}
