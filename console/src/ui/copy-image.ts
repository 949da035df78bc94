/** Whether the browser can copy images: over plain HTTP, it can't. */
export function canCopyImages(): boolean {
  return 'ClipboardItem' in window && navigator.clipboard !== undefined
}

/** Copies the pixels of an image to the clipboard, as a PNG, because browsers copy no other format. */
export async function copyImage(url: string): Promise<void> {
  if (!canCopyImages())
    throw new Error('This browser copies images only on pages with HTTPS. Download the image instead.')
  // Safari allows the copy only if it starts in the click, before the image is loaded.
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(url) })])
}

async function pngOf(url: string): Promise<Blob> {
  const image = new Image()
  image.crossOrigin = 'anonymous'
  image.src = url
  await image.decode()
  const canvas = document.createElement('canvas')
  // An SVG can have no size.
  canvas.width = image.naturalWidth || 1_024
  canvas.height = image.naturalHeight || 1_024
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The image is too large.')) : resolve(blob)),
      'image/png',
    ),
  )
}
