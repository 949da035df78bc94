/** Inputs of models on Replicate, as their pages document them; fields that a model does not have are read past. */
import type { Fields } from './request-fields.ts'
import { type Act, actOf } from './work.ts'

interface Schema {
  act: Act
  required: string[]
  /** Undefined: not known here, so everything is read. */
  fields?: string[]
  format: string
  isPieces?: boolean
}

const flux = ['prompt', 'seed', 'aspect_ratio', 'output_format', 'output_quality']
const many = [...flux, 'num_outputs', 'num_inference_steps', 'go_fast', 'megapixels', 'disable_safety_checker']

const known: Record<string, Schema> = {
  'black-forest-labs/flux-schnell': { act: 'generate', required: ['prompt'], fields: many, format: 'webp' },
  'black-forest-labs/flux-dev': {
    act: 'generate',
    required: ['prompt'],
    fields: [...many, 'image', 'prompt_strength', 'guidance'],
    format: 'webp',
  },
  'black-forest-labs/flux-1.1-pro': {
    act: 'generate',
    required: ['prompt'],
    fields: [...flux, 'image_prompt', 'width', 'height', 'safety_tolerance', 'prompt_upsampling'],
    format: 'webp',
  },
  'black-forest-labs/flux-kontext-pro': {
    act: 'edit',
    required: ['prompt'],
    fields: [...flux, 'input_image', 'safety_tolerance', 'prompt_upsampling'],
    format: 'png',
  },
  'black-forest-labs/flux-fill-pro': {
    act: 'inpaint',
    required: ['prompt', 'image'],
    fields: [
      'prompt',
      'image',
      'mask',
      'outpaint',
      'seed',
      'steps',
      'guidance',
      'output_format',
      'safety_tolerance',
      'prompt_upsampling',
    ],
    format: 'jpg',
  },
  'black-forest-labs/flux-fill-dev': {
    act: 'inpaint',
    required: ['prompt', 'image'],
    fields: [...many, 'image', 'mask', 'guidance'],
    format: 'webp',
  },
  'nightmareai/real-esrgan': {
    act: 'enlarge',
    required: ['image'],
    fields: ['image', 'scale', 'face_enhance'],
    format: 'png',
  },
  'google/upscaler': {
    act: 'enlarge',
    required: ['image'],
    fields: ['image', 'upscale_factor', 'compression_quality'],
    format: 'jpg',
  },
}

/** Versions are called without a name. */
const versions: [RegExp, Schema][] = [
  [/95fcc2a26d3899cd/, { act: 'cut', required: ['image'], fields: ['image'], format: 'png' }],
  [
    /f121d640bd286e1f/,
    { act: 'enlarge', required: ['image'], fields: ['image', 'scale', 'face_enhance'], format: 'png' },
  ],
  [
    /2e1dddc8621f7215/,
    { act: 'text', required: ['image'], fields: ['image', 'task', 'question', 'caption'], format: 'png' },
  ],
]

export function replicateSchema(model: string, input: Fields): Schema {
  const found = known[model] ?? versions.find(([version]) => version.test(model))?.[1]
  if (found) return found
  const hasImages = ['image', 'input_image', 'image_input'].some((name) => input[name] !== undefined)
  const act = actOf(model, hasImages, 'mask' in input)
  return { act, required: [], format: 'png', isPieces: act === 'text' && !/blip/.test(model) }
}

/** Models that can give several give a list, also of one. */
export function isList(model: string): boolean {
  return /schnell|flux-dev|fill-dev|stable-diffusion|sdxl/.test(model)
}
