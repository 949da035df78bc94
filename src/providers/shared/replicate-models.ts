/**
 * Models of Replicate, with the fields of their inputs: https://replicate.com/<name>/api/schema for each. Prices are those of
 * https://replicate.com/pricing as it was read in the month of `asOf`; a row without one costs what nobody here knows.
 */
import type { ModelRow } from '../define.ts'

const fluxRatios = ['1:1', '16:9', '21:9', '3:2', '2:3', '4:5', '5:4', '3:4', '4:3', '9:16', '9:21']
const kontextRatios = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '4:5', '5:4', '21:9', '9:21', '2:1', '1:2']
const bananaRatios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']
const png = { output_format: 'png' }
const banana = { images: 'image_input' }

export const replicateModels: readonly ModelRow[] = [
  {
    name: 'black-forest-labs/flux-schnell',
    can: { generate: { aspectRatios: fluxRatios, seed: true } },
    price: { asOf: '2026-05', per: 'image', usd: 0.003 },
    'x-input': { num_outputs: 1, ...png },
  },
  {
    name: 'black-forest-labs/flux-dev',
    can: { generate: { aspectRatios: fluxRatios, seed: true } },
    price: { asOf: '2026-05', per: 'image', usd: 0.025 },
    'x-input': { num_outputs: 1, ...png },
  },
  {
    name: 'black-forest-labs/flux-1.1-pro',
    can: { generate: { aspectRatios: ['1:1', '16:9', '3:2', '2:3', '4:5', '5:4', '9:16', '3:4', '4:3'], seed: true } },
    'x-input': png,
  },
  {
    name: 'black-forest-labs/flux-kontext-pro',
    can: { edit: { aspectRatios: kontextRatios, seed: true } },
    'x-fields': { image: 'input_image' },
    'x-input': png,
  },
  {
    name: 'google/nano-banana',
    can: { generate: { aspectRatios: bananaRatios }, edit: { aspectRatios: bananaRatios, imagesMax: 3 } },
    'x-fields': banana,
    'x-input': png,
  },
  {
    name: 'black-forest-labs/flux-fill-pro',
    can: { inpaint: { seed: true } },
    'x-input': png,
  },
  { name: 'black-forest-labs/flux-fill-dev', can: { inpaint: { seed: true } }, 'x-input': png },
  { name: 'bria/remove-background', can: { 'remove-background': {} } },
  { name: 'recraft-ai/recraft-remove-background', can: { 'remove-background': {} } },
  {
    name: 'lucataco/remove-bg',
    can: { 'remove-background': {} },
    'x-version': '95fcc2a26d3899cd6c2691c900465aaeff466285a65c14638cc5f36f34befaf1',
  },
  {
    name: 'nightmareai/real-esrgan',
    can: { upscale: { scales: [2, 3, 4] } },
    'x-version': 'f121d640bd286e1fdc67f9799164c1d5be36ff74576ee11c803ae5b665dd46aa',
  },
  {
    name: 'google/upscaler',
    can: { upscale: { scales: [2, 4] } },
    'x-fields': { scale: 'upscale_factor', scaleForm: 'x' },
  },
  {
    name: 'salesforce/blip',
    can: { describe: { prompt: false } },
    'x-version': '2e1dddc8621f72155f24cf2e0adbde548458d3cab9f00c0139eea840d0ac4746',
    'x-input': { task: 'image_captioning' },
  },
  {
    name: 'openai/gpt-4o-mini',
    can: { describe: {}, write: {}, judge: { imagesMax: 10 } },
    'x-fields': { images: 'image_input' },
    'x-input': { prompt: 'Describe this image.' },
  },
]
