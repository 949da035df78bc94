/** ESRGAN as trained and published by UpscalerJS. */
import { join } from 'node:path'
import type { Graph, PackagedModel } from './define-model.ts'
import { onnxFromLayers } from './layers-model.ts'

/**
 * Only x2: the x4 models enlarge the last features by repetition, which is visible as a grid; applying x2 twice
 * avoids it and costs 2.5 times as much.
 */
const x2: Graph = {
  load: (folder) => onnxFromLayers(join(folder, 'models', 'x2')),
  input: { name: 'input', layout: 'NCHW', mean: [0, 0, 0], deviation: [1, 1, 1] },
  outputs: { output: 'bytes' },
}

const keep = ['package.json', 'LICENSE', 'models/x2']

export const esrganSlim: PackagedModel = {
  name: 'esrgan-slim',
  operation: 'upscale',
  summary: 'Enlarges by two, crisp where an ordinary resize is soft. Quick.',
  package: {
    name: '@upscalerjs/esrgan-slim',
    version: '1.0.0',
    integrity: 'sha512-DXtwn5SE71+pZKluN/hGeLaZv6ZylyFQYSvMqU08kKCEA5Y9Q1cIIk4EvPTPZw8VqGi2C6F02c8OjhtId4BK2w==',
    keep,
  },
  licence: 'MIT',
  permissive: true,
  bytes: 910_000,
  graphs: { x2 },
}

export const esrganMedium: PackagedModel = {
  name: 'esrgan-medium',
  operation: 'upscale',
  summary: 'Enlarges by two, a little truer than esrgan-slim, and three times as slow.',
  package: {
    name: '@upscalerjs/esrgan-medium',
    version: '1.0.0',
    integrity: 'sha512-Z8JnR87sgetPABKevasXST3FdnXhaoTu9zpXnu3KLaHYpYStVt0FD1VZS9c6jhSGMBC0H929gN9RbWl+MeisKA==',
    keep,
  },
  licence: 'MIT',
  permissive: true,
  bytes: 2_800_000,
  graphs: { x2 },
}
