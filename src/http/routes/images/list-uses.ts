import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'

const ImageUse = Type.Object(
  {
    workflowId: Type.String(),
    name: Type.String({ description: 'Name of the workflow, or of a draft that was never published.' }),
    version: Type.Optional(Type.Integer({ description: 'The newest version, if it names the image.' })),
    draft: Type.Boolean({ description: 'Whether the draft of the workflow names the image.' }),
  },
  named('ImageUse'),
)

const BrandImageUse = Type.Object(
  {
    projectId: Type.Union([Type.String(), Type.Null()], { description: 'Null for the brand of the account.' }),
    projectName: Type.Optional(Type.String()),
    values: Type.Array(Type.String(), { description: 'Names of the brand values.' }),
  },
  named('BrandImageUse'),
)

export const listImageUses = defineRoute({
  id: 'images.uses',
  method: 'GET',
  path: '/storage/images/{imageId}/uses',
  summary: 'List workflows and brands that use an image',
  description:
    'Returns the workflows whose newest version or draft contains the id of the image: the newest workflows first, then drafts; and the brands with this image. Check it before you delete an image: executions of these workflows, and of those that read the brand value, fail without it. Earlier versions, and values that callers pass as parameters, are not searched.',
  tag: 'Storage',
  permission: ['workflows:read'],
  params: Type.Object({ imageId: id('The id of the image.') }),
  reply: {
    status: 200,
    description: 'The workflows and brands that use the image.',
    schema: Type.Object(
      {
        workflows: Type.Array(ImageUse),
        brands: Type.Optional(Type.Array(BrandImageUse, { description: 'Not set if no brand uses the image.' })),
        hasMore: Type.Boolean({
          description: `Whether others may use the image: only the newest ${limits.imageUsesSearchedMax} workflows, drafts and projects are searched, at most ${limits.imageUsesBytesMax} bytes of each, until ${limits.imageUsesMax} of them are found.`,
        }),
      },
      named('ImageUses'),
    ),
  },
  errors: ['not_found'],
  async handle({ params, caller, signal }, { imageUses }) {
    const { uses, brands, hasMore } = await imageUses.find(caller.account.id, params.imageId, signal)
    return {
      body: {
        workflows: uses.map(({ isInDraft, ...use }) => ({ ...use, draft: isInDraft })),
        ...(brands.length > 0 && { brands }),
        hasMore,
      },
    }
  },
})
