/** The manifests of a file as a tree of images: the file, its ingredients, and theirs. */
import type { CredentialAction, CredentialManifest } from '../../api/credentials.ts'
import { type Origin, originOfAction } from './texts.ts'

export interface HistoryImage {
  /** The path from the verified file: `0`, `0.1`, `0.1.2`. */
  id: string
  title: string
  /** Such as `parentOf`. Undefined for the verified file. */
  relationship?: string
  mediaType?: string
  /** Null: it has no Content Credentials, so its history is unknown. */
  credentials: CredentialManifest | null
  /** The opened image first. */
  ingredients: HistoryImage[]
  /** Whether generative models made its pixels, according to the actions and those of its ingredients. */
  origin: Origin | undefined
  /** The models that its own actions name. */
  models: string[]
}

/** `title`: the name of the file. Titles of manifests may be older. */
export function historyOf(credentials: CredentialManifest, title: string): HistoryImage {
  return imageOf('0', { title, credentials })
}

type Described = Pick<HistoryImage, 'title' | 'relationship' | 'mediaType' | 'credentials'>

function imageOf(id: string, { credentials, ...described }: Described): HistoryImage {
  const { actions = [], ingredients: parts = [] } = credentials ?? {}
  const ingredients = parts
    .toSorted((a, b) => Number(b.relationship === 'parentOf') - Number(a.relationship === 'parentOf'))
    .map((part, index) => imageOf(`${id}.${index}`, part))
  return {
    id,
    ...described,
    credentials,
    ingredients,
    origin: originOf(actions, ingredients),
    models: modelsOf(actions),
  }
}

function originOf(actions: readonly CredentialAction[], ingredients: readonly HistoryImage[]): Origin | undefined {
  const ownOrigins = actions.flatMap((action) => originOfAction(action) ?? [])
  if (ownOrigins.length === 0 && ingredients.every(({ origin }) => origin === undefined)) return undefined
  return ingredients.length === 0 && ownOrigins.every((origin) => origin === 'generated') ? 'generated' : 'composite'
}

/** The software of other actions is a program, not a model. */
function modelsOf(actions: readonly CredentialAction[]): string[] {
  return [...new Set(actions.flatMap((action) => (originOfAction(action) ? (action.softwareAgent ?? []) : [])))]
}

/** The image and all images below it. */
export function imagesIn(image: HistoryImage): HistoryImage[] {
  return [image, ...image.ingredients.flatMap(imagesIn)]
}
