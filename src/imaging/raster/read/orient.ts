import { loadSharp, type Sharp } from '../sharp.ts'

/**
 * Applies an EXIF orientation (tag 0x0112; 1 to 8). libvips does so for stills, but not for the frames of an
 * animation.
 */
export function orient(image: Sharp, orientation: number): Sharp {
  const turns = [0, 0, 0, 180, 0, 90, 90, 90, 270][orientation] ?? 0
  if (turns > 0) image.rotate(turns)
  // sharp mirrors first.
  if (orientation === 2 || orientation === 7) image.flop()
  if (orientation === 4 || orientation === 5) image.flip()
  return image
}

/** The orientation of a file, by its header. */
export async function orientationOf(bytes: Buffer): Promise<number> {
  const sharp = await loadSharp()
  const { orientation = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata()
  return orientation
}
