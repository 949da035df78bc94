/** Inputs of models on fal, as their pages document them; fal reads past fields that a model does not have. */

import type { ImageFormat } from './images.ts'
import type { Fields } from './request-fields.ts'
import { type Act, actOf } from './work.ts'

export interface Schema {
  act: Act
  required: string[]
  /** Undefined: not known here, so everything is read. */
  fields?: string[]
  /** The field of its result. */
  out: string
  format: ImageFormat
}

const common = ['seed', 'sync_mode', 'output_format', 'enable_safety_checker']
const flux = ['prompt', ...common, 'num_images', 'image_size', 'num_inference_steps', 'guidance_scale', 'acceleration']
const kontext = [
  'prompt',
  ...common,
  'num_images',
  'guidance_scale',
  'safety_tolerance',
  'enhance_prompt',
  'aspect_ratio',
]
const banana = [
  'prompt',
  'num_images',
  'seed',
  'aspect_ratio',
  'output_format',
  'safety_tolerance',
  'sync_mode',
  'limit_generations',
]
const pro = ['prompt', ...common, 'num_images', 'image_size', 'safety_tolerance', 'enhance_prompt']

const known: Record<string, Omit<Schema, 'format'> & { format?: ImageFormat }> = {
  'fal-ai/flux/schnell': { act: 'generate', required: ['prompt'], fields: flux, out: 'images' },
  'fal-ai/flux/dev': { act: 'generate', required: ['prompt'], fields: flux, out: 'images' },
  'fal-ai/flux-pro/v1.1': { act: 'generate', required: ['prompt'], fields: pro, out: 'images' },
  'fal-ai/flux-2-pro': { act: 'generate', required: ['prompt'], fields: pro, out: 'images' },
  'fal-ai/flux-2-pro/edit': {
    act: 'edit',
    required: ['prompt', 'image_urls'],
    fields: [...pro, 'image_urls'],
    out: 'images',
  },
  'fal-ai/recraft/v3/text-to-image': {
    act: 'generate',
    required: ['prompt'],
    fields: ['prompt', 'image_size', 'style', 'colors', 'style_id', 'enable_safety_checker'],
    out: 'images',
    format: 'webp',
  },
  'fal-ai/nano-banana': { act: 'generate', required: ['prompt'], fields: banana, out: 'images', format: 'png' },
  'fal-ai/nano-banana/edit': {
    act: 'edit',
    required: ['prompt', 'image_urls'],
    fields: [...banana, 'image_urls'],
    out: 'images',
    format: 'png',
  },
  'fal-ai/flux-pro/kontext': {
    act: 'edit',
    required: ['prompt', 'image_url'],
    fields: [...kontext, 'image_url'],
    out: 'images',
  },
  'fal-ai/flux-pro/kontext/multi': {
    act: 'edit',
    required: ['prompt', 'image_urls'],
    fields: [...kontext, 'image_urls'],
    out: 'images',
  },
  'fal-ai/flux-pro/v1/fill': {
    act: 'inpaint',
    required: ['prompt', 'image_url', 'mask_url'],
    fields: ['prompt', ...common, 'num_images', 'safety_tolerance', 'enhance_prompt', 'image_url', 'mask_url'],
    out: 'images',
  },
  'fal-ai/bria/background/remove': {
    act: 'cut',
    required: ['image_url'],
    fields: ['image_url', 'sync_mode'],
    out: 'image',
    format: 'png',
  },
  'fal-ai/birefnet/v2': {
    act: 'cut',
    required: ['image_url'],
    fields: [
      'image_url',
      'model',
      'operating_resolution',
      'output_mask',
      'refine_foreground',
      'sync_mode',
      'output_format',
    ],
    out: 'image',
    format: 'png',
  },
  'fal-ai/esrgan': {
    act: 'enlarge',
    required: ['image_url'],
    fields: ['image_url', 'scale', 'tile', 'face', 'model', 'output_format'],
    out: 'image',
    format: 'png',
  },
  'fal-ai/clarity-upscaler': {
    act: 'enlarge',
    required: ['image_url'],
    fields: [
      ...['image_url', 'prompt', 'upscale_factor', 'negative_prompt', 'creativity', 'resemblance', 'guidance_scale'],
      ...['num_inference_steps', 'seed', 'enable_safety_checker'],
    ],
    out: 'image',
    format: 'png',
  },
  'fal-ai/aura-sr': {
    act: 'enlarge',
    required: ['image_url'],
    fields: ['image_url', 'upscaling_factor', 'overlapping_tiles', 'checkpoint'],
    out: 'image',
    format: 'png',
  },
  'fal-ai/florence-2-large/more-detailed-caption': {
    act: 'text',
    required: ['image_url'],
    fields: ['image_url'],
    out: 'results',
  },
  'fal-ai/moondream3-preview/caption': {
    act: 'text',
    required: ['image_url'],
    fields: ['image_url', 'length', 'temperature', 'top_p'],
    out: 'output',
  },
  'fal-ai/moondream3-preview/query': {
    act: 'text',
    required: ['image_url', 'prompt'],
    fields: ['image_url', 'prompt', 'reasoning', 'temperature', 'top_p'],
    out: 'output',
  },
}

export function schemaOf(model: string, fields: Fields): Schema {
  const found = known[model]
  if (found) return { format: 'jpeg', ...found }
  const act = actOf(model, 'image_url' in fields || 'image_urls' in fields, 'mask_url' in fields)
  const out = act === 'text' ? 'output' : act === 'cut' || act === 'enlarge' ? 'image' : 'images'
  return { act, required: [], out, format: 'png' }
}
