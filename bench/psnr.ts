import sharp from 'sharp'

/** Similarity of two encoded images, in decibels; 0 if their sizes or formats differ. */
export async function psnr(a: Buffer, b: Buffer): Promise<number> {
  const [one, other] = await Promise.all([decoded(a), decoded(b)])
  if (one.format !== other.format || one.width !== other.width || one.height !== other.height) return 0
  let squares = 0
  for (let at = 0; at < one.data.length; at += 1) squares += ((one.data[at] ?? 0) - (other.data[at] ?? 0)) ** 2
  return 10 * Math.log10(255 ** 2 / (squares / one.data.length))
}

async function decoded(bytes: Buffer) {
  const { format } = await sharp(bytes).metadata()
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { format, data, width: info.width, height: info.height }
}
