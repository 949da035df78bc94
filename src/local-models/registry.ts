/** All models in npm packages, in the order of lists. */
import { arch, platform } from 'node:process'
import type { ModelPackage, PackagedModel } from './define-model.ts'
import { esrganMedium, esrganSlim } from './esrgan.ts'
import { facesSsd } from './faces-ssd.ts'
import { isnet } from './isnet.ts'
import { ppocr } from './ppocr.ts'
import { realesrgan } from './realesrgan.ts'
import { selfie } from './selfie.ts'

const models: PackagedModel[] = [esrganSlim, esrganMedium, realesrgan, isnet, selfie, facesSsd, ppocr]

export const packagedModels: ReadonlyMap<string, PackagedModel> = new Map(models.map((model) => [model.name, model]))

/**
 * ONNX Runtime; the first package is the one to import. Its install script, which downloads CUDA, never runs; files
 * for other machines are not kept.
 */
export const runtimePackages: readonly ModelPackage[] = [
  {
    name: 'onnxruntime-node',
    version: '1.30.0',
    integrity: 'sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==',
    keep: ['package.json', 'dist', `bin/napi-v6/${platform}/${arch}`],
  },
  {
    name: 'onnxruntime-common',
    version: '1.30.0',
    integrity: 'sha512-7fdVWjAID1dVhH/G8qK3APARunV4VkBFoCQAP7qp4Wkab0mrorvmc+sqiT+mKXOzDqdjN5j+/Z9nb4gzNPWcyA==',
    keep: ['package.json', 'dist'],
  },
]
