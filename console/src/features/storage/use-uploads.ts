import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { refreshImages, uploadImage } from '../../api/images.ts'
import { createUploadQueue, type UploadQueue } from './queue.ts'

/** The uploads of the page, to the chosen project. */
export function useUploads(projectId: string | undefined): UploadQueue {
  const queryClient = useQueryClient()
  return useMemo(
    () =>
      createUploadQueue(
        (file, options) => uploadImage(file, { ...options, ...(projectId === undefined ? {} : { projectId }) }),
        () => void refreshImages(queryClient),
      ),
    [queryClient, projectId],
  )
}
