import assert from 'node:assert/strict'
import { test } from 'node:test'
import { featuresText, modelName, priceText } from './model-text.ts'

test('a model is named without its provider and its platform', () => {
  const names = {
    'google/gemini-nano-banana-2.1': 'Gemini Nano Banana 2.1',
    'openai/gpt-image-1.5': 'GPT Image 1.5',
    'openai/gpt-4o-mini': 'GPT 4o Mini',
    'fal/fal-ai/flux/schnell': 'FLUX Schnell',
    'fal/fal-ai/recraft/v3/text-to-image': 'Recraft v3 Text To Image',
    'replicate/black-forest-labs/flux-1.1-pro': 'FLUX 1.1 Pro',
    'bfl/flux-2-klein-9b': 'FLUX 2 Klein 9B',
    'stability/sd3.5-large': 'SD3.5 Large',
    'bedrock/amazon.nova-canvas-v1:0': 'Nova Canvas',
    'local/faces-ssd': 'Faces SSD',
  }
  for (const [model, name] of Object.entries(names)) assert.equal(modelName(model), name)
})

test('a price is that of one image or call, and an upper bound says so', () => {
  const asOf = '2026-11'
  assert.equal(priceText({ price: { per: 'image', usd: 0.04, asOf } }, 'generate'), '$0.04 / image')
  assert.equal(priceText({ price: { per: 'call', usd: 0.026, asOf } }, 'edit', 0.03), '$0.026 / image')
  assert.equal(priceText({ price: { per: 'call', usd: 0, asOf } }, 'upscale'), 'free')
  assert.equal(priceText({ price: { per: 'megapixel', usd: 0.03, asOf } }, 'generate'), 'about $0.03 / image')
  assert.equal(priceText({ price: { per: 'unit', usd: 0.003, unitsMax: 3, asOf } }, 'generate'), 'up to $0.009 / image')
  const tokens = { per: 'tokens', inputUsd: 5, inputMax: 2000, outputUsd: 30, outputMax: 6240, asOf }
  assert.equal(priceText({ price: tokens }, 'generate'), 'up to $0.2 / image')
  assert.equal(priceText({ price: tokens }, 'generate', 0.0312), 'about $0.031 / image')
  assert.equal(priceText({ price: tokens }, 'judge'), 'up to $0.2 / call')
  assert.equal(priceText({ price: null }, 'generate'), '')
})

test('the features that decide a choice are listed', () => {
  assert.equal(
    featuresText({ price: null, transparency: true, imagesMax: 16, seed: true, sizes: { listed: ['1024x1024'] } }),
    'transparent backgrounds, up to 16 images, seed',
  )
  assert.equal(featuresText({ price: null, scales: [2, 4] }), 'enlarges 2, 4 times')
})
