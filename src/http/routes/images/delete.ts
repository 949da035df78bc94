import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { Deleted, id } from '../schema.ts'

export const deleteImage = defineRoute({
  id: 'images.delete',
  method: 'DELETE',
  path: '/storage/images/{imageId}',
  summary: 'Delete an image',
  description: 'Its URL answers 404 from then on.',
  tag: 'Storage',
  permission: ['storage:write'],
  params: Type.Object({ imageId: id('An image.') }),
  reply: { status: 200, description: 'Deleted.', schema: Deleted },
  errors: ['not_found'],
  async handle({ params, caller }, { images }) {
    await images.remove(caller.account.id, params.imageId)
    return { body: { deleted: true } }
  },
})
