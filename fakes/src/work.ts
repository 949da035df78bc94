/** The tasks of models of providers with many models, by name, with the documented fields. */

import { cutOut, edited, enlarged, generated, type ImageFormat, inpainted, type Label, resized } from './images.ts'

export type Act = 'generate' | 'edit' | 'inpaint' | 'cut' | 'enlarge' | 'text'

export interface Work {
  act: Act
  label: Label
  images: readonly { bytes: Buffer }[]
  /** White where the image is replaced. */
  mask?: Buffer | undefined
  size?: { width: number; height: number } | undefined
  scale?: number | undefined
  format?: ImageFormat | undefined
  isTransparent?: boolean
}

export async function renderImage({ act, label, images, mask, size, scale = 2, format = 'png', isTransparent }: Work) {
  const [first = Buffer.alloc(0)] = images.map(({ bytes }) => bytes)
  switch (act) {
    case 'generate':
      return generated(label, { width: 1024, height: 1024, ...size, format, ...(isTransparent && { isTransparent }) })
    case 'edit':
      return edited(
        label,
        images.map(({ bytes }) => bytes),
        { ...size, format },
      )
    case 'inpaint': {
      const filled = await inpainted(label, first, mask ?? Buffer.alloc(0), format)
      return size ? resized(filled, { ...size, format }) : filled
    }
    case 'cut':
      return cutOut(label, first, format)
    default:
      return enlarged(label, first, scale, format)
  }
}

/** A size of about a megapixel, for providers that accept a ratio. */
export function sizeOfRatio(
  ratio: string,
  pixels = 1_048_576,
  step = 32,
): { width: number; height: number } | undefined {
  const [, across = 0, down = 0] = (/^(\d{1,4}):(\d{1,4})$/.exec(ratio) ?? []).map(Number)
  if (across === 0 || down === 0) return undefined
  const height = Math.sqrt((pixels * down) / across)
  const rounded = (side: number) => Math.max(step, Math.round(side / step) * step)
  return { width: rounded((height * across) / down), height: rounded(height) }
}

/** The work of a model, chosen by the words of its name if no table here knows the model. */
export function actOf(model: string, hasImages: boolean, hasMask: boolean): Act {
  if (/birefnet|rembg|remove-?bg|background|cutout/.test(model)) return 'cut'
  if (/upscal|esrgan|aura-sr|super-?res/.test(model)) return 'enlarge'
  if (/caption|florence|llava|blip|moondream|gpt-4|gpt-5|claude|llama|query/.test(model)) return 'text'
  if (hasMask) return 'inpaint'
  return hasImages ? 'edit' : 'generate'
}
