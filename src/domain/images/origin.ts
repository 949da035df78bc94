/** Which pixels of an image a generative AI model made. */

/** `generated`: all of them. `composite`: a part of them, or pixels that were made from others. */
export const origins = ['generated', 'composite'] as const
export type Origin = (typeof origins)[number]

/** The digital source types of IPTC that are not retired: https://cv.iptc.org/newscodes/digitalsourcetype/ */
export const sourceTypeNames = [
  'algorithmicallyEnhanced',
  'algorithmicMedia',
  'composite',
  'compositeCapture',
  'compositeSynthetic',
  'compositeWithTrainedAlgorithmicMedia',
  'computationalCapture',
  'dataDrivenMedia',
  'digitalCapture',
  'digitalCreation',
  'humanEdits',
  'negativeFilm',
  'positiveFilm',
  'print',
  'screenCapture',
  'trainedAlgorithmicMedia',
  'virtualRecording',
] as const

export type SourceTypeName = (typeof sourceTypeNames)[number]

/** The URI of a name, as manifests and XMP contain it. */
export function digitalSourceType(name: SourceTypeName): string {
  return `http://cv.iptc.org/newscodes/digitalsourcetype/${name}`
}

/** The types that mark these images, as URIs. */
export const digitalSourceTypes: Record<Origin, string> = {
  generated: digitalSourceType('trainedAlgorithmicMedia'),
  composite: digitalSourceType('compositeWithTrainedAlgorithmicMedia'),
}

/** The types, also of other programs, that mean one of these origins. */
const originOfType = new Map<string, Origin>([
  ['trainedAlgorithmicMedia', 'generated'],
  ['compositeWithTrainedAlgorithmicMedia', 'composite'],
  ['compositeSynthetic', 'composite'],
])

/** The origin that a digital source type states, as a URI or only its name. Undefined for types without generative AI. */
export function originOfSourceType(type: string): Origin | undefined {
  return originOfType.get(type.slice(type.lastIndexOf('/') + 1))
}

/** The names of the types that state an origin. */
export const aiSourceTypes = [...originOfType.keys()]

/** The origin of an image that is made of these parts. Undefined: of no known AI model. */
export function combinedOrigin(parts: readonly (Origin | undefined)[]): Origin | undefined {
  if (parts.every((part) => part === undefined)) return undefined
  return parts.every((part) => part === 'generated') ? 'generated' : 'composite'
}
