/** Traits of language models. */
import type { Capability, ModelTraits } from '../../../domain/models/model.ts'
import { limits } from '../../../limits.ts'

type Can = Partial<Record<Capability, ModelTraits>>

/** Requirements of a model that accepts images. */
export function lookingModel(traits: ModelTraits = {}): Can {
  const { structuredOutput } = traits
  return {
    write: traits,
    describe: structuredOutput ? { structuredOutput } : {},
    judge: { imagesMax: limits.modelInputImagesMax },
  }
}

export function writingModel(traits: ModelTraits = {}): Can {
  return { write: traits }
}

/** Splits `a, b` in a setting. */
export function namesOf(list: string | undefined): string[] {
  return (list ?? '').split(',').flatMap((name) => name.trim() || [])
}
