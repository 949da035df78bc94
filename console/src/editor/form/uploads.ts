/** Uploads of a form, with progress and errors. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { isImageFile, storeImage } from '../../api/images.ts'
import type { ImageDetail } from '../../api/types.ts'

export interface Upload {
  name: string
  /** Share of bytes from 0 to 1. */
  progress: number
  problem?: string
}

/** One upload at a time. A new one replaces the previous one. */
export function useUpload(onDone: (image: ImageDetail) => void) {
  const queryClient = useQueryClient()
  const [upload, setUpload] = useState<Upload>()
  const start = useCallback(
    async (file: File) => {
      const { name } = file
      setUpload({ name, progress: 0 })
      try {
        const image = await storeImage(queryClient, file, { onProgress: (progress) => setUpload({ name, progress }) })
        setUpload(undefined)
        onDone(image)
      } catch (error) {
        setUpload({ name, progress: 0, problem: error instanceof Error ? error.message : String(error) })
      }
    },
    [onDone, queryClient],
  )
  return { upload, start }
}

/** The image file of a drop or a paste. */
export function imageFileOf(transfer: DataTransfer): File | undefined {
  return [...transfer.files].find(isImageFile)
}
