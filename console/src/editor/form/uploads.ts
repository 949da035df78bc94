/** Uploads of a form: how far each is, and what became of it. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { storeImage } from '../../api/images.ts'
import type { ImageDetail } from '../../api/types.ts'

export interface Upload {
  name: string
  /** From 0 to 1. */
  part: number
  problem?: string
}

/** One at a time: a new one takes the place of the one before. */
export function useUpload(onDone: (image: ImageDetail) => void) {
  const queryClient = useQueryClient()
  const [upload, setUpload] = useState<Upload>()
  const start = useCallback(
    async (file: File) => {
      const { name } = file
      setUpload({ name, part: 0 })
      try {
        const image = await storeImage(queryClient, file, { onProgress: (part) => setUpload({ name, part }) })
        setUpload(undefined)
        onDone(image)
      } catch (error) {
        setUpload({ name, part: 0, problem: error instanceof Error ? error.message : String(error) })
      }
    },
    [onDone, queryClient],
  )
  return { upload, start }
}

/** The image of a drop or a paste, if there is one. */
export function imageFileOf(transfer: DataTransfer): File | undefined {
  return [...transfer.files].find(({ type }) => type.startsWith('image/'))
}
