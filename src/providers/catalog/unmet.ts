/** Requirements of a node that a model can't meet, as issues with the supported values. */
import type { Capability, ModelSizes, ModelTraits, Requirement } from '../../domain/models/model.ts'
import type { Issue } from '../../errors.ts'

/** `model`: the name in the sentences. */
export function unmetRequirements(
  model: string,
  capability: Capability,
  traits: ModelTraits,
  requirements: readonly Requirement[],
): Issue[] {
  return requirements.flatMap((requirement) => {
    const message = unmet(model, capability, traits, requirement)
    return message === undefined ? [] : [{ path: requirement.path, message }]
  })
}

function unmet(
  model: string,
  capability: Capability,
  traits: ModelTraits,
  requirement: Requirement,
): string | undefined {
  switch (requirement.kind) {
    case 'size':
      return unmetSize(model, traits, requirement.value)
    case 'aspectRatio': {
      const { aspectRatios: ratios = [] } = traits
      if (ratios.length === 0)
        return `is not supported by ${model}.${traits.sizes ? ' Set a size instead.' : ' Remove it, or choose another model.'}`
      if (requirement.value === undefined || ratios.includes(requirement.value)) return undefined
      return `must be ${listed(ratios)} for ${model}, not ${requirement.value}`
    }
    case 'seed':
      return traits.seed ? undefined : `is not supported by ${model}. Remove it, or choose another model.`
    case 'transparency':
      return traits.transparency
        ? undefined
        : `is not supported by ${model}, which has no transparent background. Choose another model.`
    case 'images': {
      const max = imagesMaxOf(capability, traits)
      if (requirement.value <= max) return undefined
      const some = max === 0 ? 'no images' : max === 1 ? '1 image' : `at most ${max} images`
      return `must have ${some} for ${model}, not ${requirement.value}`
    }
    case 'scale': {
      const { scales = [] } = traits
      if (scales.length === 0)
        return `is not supported by ${model}, which has a fixed factor. Remove it, or choose another model.`
      if (requirement.value === undefined || scales.includes(requirement.value)) return undefined
      return `must be ${listed(scales.map((scale) => `${scale}`))} for ${model}, not ${requirement.value}`
    }
    case 'prompt':
      return takesPrompt(capability, traits)
        ? undefined
        : `is not supported by ${model}, which accepts no prompt. Remove it, or choose another model.`
  }
}

function unmetSize(
  model: string,
  { sizes, aspectRatios }: ModelTraits,
  value: { width: number; height: number } | undefined,
): string | undefined {
  if (sizes === undefined) {
    return `is not supported by ${model}, which has no sizes. ${aspectRatios ? `Set an aspect ratio instead: ${listed(aspectRatios)}.` : 'Remove it, or choose another model.'}`
  }
  if (value === undefined) return undefined
  const size = `${value.width}x${value.height}`
  if ('listed' in sizes) {
    return sizes.listed.includes(size)
      ? undefined
      : `must result in the size ${listed(sizes.listed)} for ${model}, not ${size}`
  }
  return isFree(sizes, value) ? undefined : `must result in ${freeSizes(sizes)} for ${model}, not ${size}`
}

type FreeSizes = Extract<ModelSizes, { free: object }>

function isFree({ free }: FreeSizes, { width, height }: { width: number; height: number }): boolean {
  const { sideMin, sideMax, step = 1, pixelsMax = Number.POSITIVE_INFINITY } = free
  const fits = [width, height].every((side) => side >= sideMin && side <= sideMax && side % step === 0)
  return fits && width * height <= pixelsMax
}

function freeSizes({ free: { sideMin, sideMax, step = 1, pixelsMax } }: FreeSizes): string {
  const steps = step === 1 ? '' : ` in steps of ${step}`
  const most = pixelsMax === undefined ? '' : ` and at most ${pixelsMax} pixels`
  return `sides from ${sideMin} to ${sideMax} pixels${steps}${most}`
}

export function imagesMaxOf(capability: Capability, { imagesMax }: ModelTraits): number {
  return imagesMax ?? (capability === 'generate' || capability === 'write' ? 0 : 1)
}

export function takesPrompt(capability: Capability, { prompt }: ModelTraits): boolean {
  return prompt ?? (capability !== 'remove-background' && capability !== 'upscale')
}

/** `a, b or c` */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}
