/**
 * Manifests that are shipped: permissively licensed models that the operator can add by name. No weights are shipped. Each
 * SHA-256 was compared with at least two independent publications of it.
 */
import { type Manifest, manifestIssues } from './manifest.ts'

const imageNet = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] }

export interface Recipe {
  manifest: Manifest
  /** Size of the file. */
  bytes: number
}

/** Recipes with the defaults of all fields. */
export function readRecipes(): Recipe[] {
  return recipes.map(({ bytes, manifest }) => {
    const complete: unknown = structuredClone(manifest)
    const [issue] = manifestIssues(complete)
    if (issue) throw new Error(`the recipe ${manifest.name} is invalid: ${issue.path} ${issue.message}`)
    return { bytes, manifest: complete as Manifest }
  })
}

const recipes = [
  {
    bytes: 224_005_088,
    manifest: {
      name: 'birefnet-lite',
      task: 'mask',
      summary: 'Cuts out any subject, with fine edges. The smaller BiRefNet.',
      license: 'MIT',
      file: 'https://github.com/ZhengPeng7/BiRefNet/releases/download/v1/BiRefNet-general-bb_swin_v1_tiny-epoch_232.onnx',
      sha256: '5600024376f572a557870a5eb0afb1e5961636bef4e1e22132025467d0f03333',
      input: { name: 'input_image', size: 1_024, ...imageNet },
      output: { activation: 'sigmoid' },
    },
  },
  {
    bytes: 972_666_916,
    manifest: {
      name: 'birefnet',
      task: 'mask',
      summary: 'Cuts out any subject, with hair and fine structures. Slow, and needs much memory.',
      license: 'MIT',
      file: 'https://github.com/ZhengPeng7/BiRefNet/releases/download/v1/BiRefNet-general-epoch_244.onnx',
      sha256: '58f621f00f5d756097615970a88a791584600dcf7c45b18a0a6267535a1ebd3c',
      input: { name: 'input_image', size: 1_024, ...imageNet },
      output: { activation: 'sigmoid' },
    },
  },
  {
    bytes: 222_932_053,
    manifest: {
      name: 'ben2',
      task: 'mask',
      summary: 'Cuts out any subject, with soft hair.',
      license: 'MIT',
      file: 'https://huggingface.co/PramaLLC/BEN2/resolve/e48a20765fb421d19dcdb0bf3cc61e802ca5ec8f/BEN2_Base.onnx',
      sha256: '22cea62108ff53b7ccc20f7a008bf30494228d84b1687f29ecbe76936a998101',
      // Its authors' onnx_run.py neither subtracts a mean nor applies a sigmoid.
      input: { size: 1_024 },
      output: { activation: 'minmax' },
    },
  },
  {
    bytes: 178_648_008,
    manifest: {
      name: 'isnet-general',
      task: 'mask',
      summary: 'Cuts out any subject. The fastest of these models, with softer edges.',
      license: 'Apache-2.0',
      file: 'https://github.com/danielgatis/rembg/releases/download/v0.0.0/isnet-general-use.onnx',
      sha256: '60920e99c45464f2ba57bee2ad08c919a52bbf852739e96947fbb4358c0d964a',
      input: { name: 'input_image', size: 1_024, mean: [0.5, 0.5, 0.5] },
      output: { activation: 'minmax' },
    },
  },
]
