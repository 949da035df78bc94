/** The layout of the pages of a PDF. */
import { type PdfSettings, pageSizes, pdfDensityDefault, pixelsAt } from './outputs.ts'

/** Lengths are points (1/72 inch), from the lower left corner. */
export interface PageLayout {
  width: number
  height: number
  image: { x: number; y: number; width: number; height: number }
  /** Pixels of the page at the density. */
  pixels: Size
  /** The most pixels across that the image needs at the density. */
  imagePixels: number
}

interface Size {
  width: number
  height: number
}

const pointsPerInch = 72
const pointsPerMillimetre = pointsPerInch / 25.4

/** The image is centred in the area inside the margin, as large as fits. Without a page size, the page fits the image. */
export function layoutPage(
  { pageSize, pageWidth, pageHeight, orientation = 'auto', margin = 0, density = pdfDensityDefault }: PdfSettings,
  image: Size,
): PageLayout {
  const edge = margin * pointsPerMillimetre
  const sides = pageSize ? turned(pageSizes[pageSize], orientation, image) : [pageWidth, pageHeight]
  const [across, down] = sides
  if (across === undefined || down === undefined) {
    const natural = { width: (image.width / density) * pointsPerInch, height: (image.height / density) * pointsPerInch }
    const edgePixels = 2 * pixelsAt(margin, density)
    return {
      width: natural.width + 2 * edge,
      height: natural.height + 2 * edge,
      image: { x: edge, y: edge, ...natural },
      pixels: { width: image.width + edgePixels, height: image.height + edgePixels },
      imagePixels: image.width,
    }
  }
  const [width, height] = [across * pointsPerMillimetre, down * pointsPerMillimetre]
  const scale = Math.min((width - 2 * edge) / image.width, (height - 2 * edge) / image.height)
  const drawn = { width: image.width * scale, height: image.height * scale }
  return {
    width,
    height,
    image: { x: (width - drawn.width) / 2, y: (height - drawn.height) / 2, ...drawn },
    pixels: { width: pixelsAt(across, density), height: pixelsAt(down, density) },
    imagePixels: Math.max(1, Math.round((drawn.width / pointsPerInch) * density)),
  }
}

function turned(
  [short, long]: readonly [number, number],
  orientation: NonNullable<PdfSettings['orientation']>,
  image: Size,
): readonly [number, number] {
  const isWide = orientation === 'landscape' || (orientation === 'auto' && image.width > image.height)
  return isWide ? [long, short] : [short, long]
}
