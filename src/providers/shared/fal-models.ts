/**
 * Models of fal, with the fields of their inputs: https://fal.ai/models/<name>/llms.txt for each. Prices are given where
 * that page, or https://fal.ai/pricing as it was read in the month of `asOf`, says them; a row without one costs what
 * nobody here knows.
 */
import type { ModelRow } from '../define.ts'

/** Of FLUX on fal: any size; these are the ones that it was made for. */
const fluxSizes = { free: { sideMin: 256, sideMax: 1536, step: 16, pixelsMax: 2_000_000 } }
const fluxPro = { free: { sideMin: 256, sideMax: 1440, step: 32 } }
const kontextRatios = ['21:9', '16:9', '4:3', '3:2', '1:1', '2:3', '3:4', '9:16', '9:21']
const bananaRatios = ['21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16']
const png = { num_images: 1, output_format: 'png' }

export const falModels: readonly ModelRow[] = [
  {
    name: 'fal-ai/flux/schnell',
    can: { generate: { sizes: fluxSizes, seed: true } },
    // Each begun megapixel, as it reports in billable units.
    price: { asOf: '2026-05', per: 'unit', usd: 0.003, unitsMax: 3 },
    'x-input': png,
  },
  {
    name: 'fal-ai/flux/dev',
    can: { generate: { sizes: fluxSizes, seed: true } },
    price: { asOf: '2026-05', per: 'unit', usd: 0.025, unitsMax: 3 },
    'x-input': png,
  },
  { name: 'fal-ai/flux-pro/v1.1', can: { generate: { sizes: fluxPro, seed: true } }, 'x-input': png },
  {
    name: 'fal-ai/flux-2-pro',
    can: { generate: { sizes: fluxSizes, seed: true } },
    'x-input': { output_format: 'png' },
  },
  {
    name: 'fal-ai/recraft/v3/text-to-image',
    can: { generate: { sizes: { free: { sideMin: 512, sideMax: 2048, step: 32, pixelsMax: 2_100_000 } } } },
    price: { asOf: '2026-11', per: 'image', usd: 0.04 },
  },
  {
    name: 'fal-ai/nano-banana',
    can: { generate: { aspectRatios: bananaRatios } },
    'x-input': png,
  },
  {
    name: 'fal-ai/flux-pro/kontext',
    can: { edit: { aspectRatios: kontextRatios, seed: true } },
    price: { asOf: '2026-05', per: 'image', usd: 0.04 },
    'x-input': png,
  },
  {
    name: 'fal-ai/nano-banana/edit',
    can: { edit: { aspectRatios: bananaRatios, imagesMax: 3 } },
    'x-fields': { images: 'image_urls' },
    'x-input': png,
  },
  {
    name: 'fal-ai/flux-pro/kontext/multi',
    can: { edit: { aspectRatios: kontextRatios, seed: true, imagesMax: 4 } },
    'x-fields': { images: 'image_urls' },
    'x-input': png,
  },
  {
    name: 'fal-ai/flux-2-pro/edit',
    can: { edit: { sizes: fluxSizes, seed: true, imagesMax: 4 } },
    'x-fields': { images: 'image_urls' },
    'x-input': { output_format: 'png' },
  },
  {
    name: 'fal-ai/flux-pro/v1/fill',
    can: { inpaint: { seed: true } },
    price: { asOf: '2026-11', per: 'megapixel', usd: 0.05 },
    'x-input': png,
  },
  {
    name: 'fal-ai/bria/background/remove',
    can: { 'remove-background': {} },
    price: { asOf: '2026-11', per: 'image', usd: 0.018 },
  },
  {
    name: 'fal-ai/birefnet/v2',
    can: { 'remove-background': {} },
    'x-input': { output_format: 'png' },
  },
  {
    name: 'fal-ai/esrgan',
    can: { upscale: { scales: [2, 3, 4] } },
    'x-fields': { scale: 'scale' },
    'x-input': { output_format: 'png' },
  },
  {
    name: 'fal-ai/clarity-upscaler',
    can: { upscale: { scales: [2, 3, 4], seed: true, prompt: true } },
    price: { asOf: '2026-11', per: 'megapixel', usd: 0.03 },
  },
  {
    name: 'fal-ai/aura-sr',
    can: { upscale: { scales: [4] } },
    'x-fields': { scale: 'upscaling_factor' },
  },
  { name: 'fal-ai/florence-2-large/more-detailed-caption', can: { describe: { prompt: false } } },
  { name: 'fal-ai/moondream3-preview/caption', can: { describe: { prompt: false } } },
  {
    name: 'fal-ai/moondream3-preview/query',
    can: { describe: {} },
    'x-input': { prompt: 'Describe this image.' },
  },
]
