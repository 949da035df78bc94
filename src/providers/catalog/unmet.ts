/** Requirements of a node that a model can't meet, as sentences with the supported values. */
import type { Capability, ModelSizes, ModelTraits, Requirement } from '../../domain/model.ts'
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
      if (ratios.length === 0) return `${model} cannot be told an aspect ratio${traits.sizes ? '; tell it a size' : ''}`
      if (requirement.value === undefined || ratios.includes(requirement.value)) return undefined
      return `${model} makes the aspect ratios ${listed(ratios)}, not ${requirement.value}`
    }
    case 'seed':
      return traits.seed ? undefined : `${model} takes no seed`
    case 'transparency':
      return traits.transparency ? undefined : `${model} cannot make a transparent background`
    case 'images': {
      const max = imagesMaxOf(capability, traits)
      if (requirement.value <= max) return undefined
      const some = max === 0 ? 'no images' : max === 1 ? 'one image' : `at most ${max} images`
      return `${model} takes ${some}, not ${requirement.value}`
    }
    case 'scale': {
      const { scales = [] } = traits
      if (scales.length === 0) return `${model} cannot be told by how much to enlarge`
      if (requirement.value === undefined || scales.includes(requirement.value)) return undefined
      return `${model} enlarges ${listed(scales.map((each) => `${each}`))} times, not ${requirement.value} times`
    }
    case 'prompt':
      return takesPrompt(capability, traits) ? undefined : `${model} takes no words that say what to do`
  }
}

function unmetSize(
  model: string,
  { sizes, aspectRatios }: ModelTraits,
  value: { width: number; height: number } | undefined,
): string | undefined {
  if (sizes === undefined) {
    return `${model} cannot be told a size${aspectRatios ? `; tell it one of the aspect ratios ${listed(aspectRatios)}` : ''}`
  }
  if (value === undefined) return undefined
  const wanted = `${value.width}x${value.height}`
  if ('listed' in sizes) {
    return sizes.listed.includes(wanted) ? undefined : `${model} makes ${listed(sizes.listed)}, not ${wanted}`
  }
  return isFree(sizes, value) ? undefined : `${model} makes ${freeSizes(sizes)}, not ${wanted}`
}

type FreeSizes = Extract<ModelSizes, { free: object }>

function isFree({ free }: FreeSizes, { width, height }: { width: number; height: number }): boolean {
  const { sideMin, sideMax, step = 1, pixelsMax = Number.POSITIVE_INFINITY } = free
  const fits = [width, height].every((side) => side >= sideMin && side <= sideMax && side % step === 0)
  return fits && width * height <= pixelsMax
}

function freeSizes({ free: { sideMin, sideMax, step = 1, pixelsMax } }: FreeSizes): string {
  const steps = step === 1 ? '' : ` in steps of ${step}`
  const most = pixelsMax === undefined ? '' : `, of at most ${pixelsMax} pixels together`
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
