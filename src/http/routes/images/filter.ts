/** The filters of images in queries. */
import Type, { type Static } from 'typebox'
import { type ImageFilter, imageSources } from '../../../domain/images/image.ts'
import { id, parseTimes, searchField, timeField } from '../schema.ts'

export const imageFilterQuery = {
  projectId: Type.Optional(id('Only images of this project.')),
  source: Type.Optional(
    Type.Enum([...imageSources], { description: 'Only uploads (`upload`), or only outputs of executions (`output`).' }),
  ),
  search: Type.Optional(searchField),
  createdAfter: Type.Optional(timeField('Only images created at or after this time.')),
  createdBefore: Type.Optional(timeField('Only images created before this time.')),
}

const Query = Type.Object(imageFilterQuery)

/** Throws `invalid_request` with all invalid times. */
export function imageFilterOf({ createdAfter, createdBefore, ...filter }: Static<typeof Query>): ImageFilter {
  return { ...filter, ...parseTimes({ createdAfter, createdBefore }) }
}
