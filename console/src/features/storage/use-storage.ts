import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { deleteImage, refreshImages, uploadImage } from '../../api/images.ts'
import { counted } from '../../ui/format.ts'
import { createDeletions, type Deletions } from './deletions.ts'
import { createUploadQueue, type UploadQueue } from './queue.ts'

/** The uploads and deletions of the page. Leaving the page carries out pending deletions. */
export function useStorage(projectId: string | undefined): { uploads: UploadQueue; deletions: Deletions } {
  const queryClient = useQueryClient()
  const uploads = useMemo(
    () =>
      createUploadQueue(
        (file, options) => uploadImage(file, { ...options, ...(projectId === undefined ? {} : { projectId }) }),
        () => void refreshImages(queryClient),
      ),
    [queryClient, projectId],
  )
  const deletions = useMemo(
    () =>
      createDeletions(deleteImage, (failed) => {
        void refreshImages(queryClient)
        if (failed.length === 0) return
        const [{ error } = { error: undefined }] = failed
        notifications.show({
          color: 'red',
          title: `${counted(failed.length, 'image')} could not be deleted`,
          message: error instanceof Error ? error.message : '',
        })
      }),
    [queryClient],
  )
  useEffect(() => {
    window.addEventListener('pagehide', deletions.flush)
    return () => {
      window.removeEventListener('pagehide', deletions.flush)
      deletions.flush()
    }
  }, [deletions])
  return { uploads, deletions }
}
