import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { FolderArchive } from 'lucide-react'
import classes from './contact-sheet.module.css'
import { ErrorText } from './error-text.tsx'
import type { LightboxImage } from './lightbox.tsx'
import { FullImage } from './thumbnail.tsx'

export interface SheetImage extends LightboxImage {
  /** Name and size. */
  caption: string
  /** File name of the download. */
  name: string
}

interface Props {
  images: readonly SheetImage[]
  /** File name of the ZIP. */
  archive: string
  onOpen(index: number): void
}

/** All outputs side by side. */
export function ContactSheet({ images, archive, onOpen }: Props) {
  const zipping = useMutation({
    async mutationFn() {
      const { downloadZip } = await import('./download-zip.ts')
      await downloadZip(archive, images)
    },
  })
  return (
    <div className={classes.sheet}>
      <ul className={classes.grid} aria-label="All outputs">
        {images.map((image, index) => (
          <li key={image.url}>
            <button
              type="button"
              className={classes.open}
              aria-label={`Open ${image.caption}`}
              onClick={() => onOpen(index)}
            >
              <FullImage url={image.url} format={image.format} alt="" className="tt-checker" />
            </button>
            <span className={classes.caption}>{image.caption}</span>
          </li>
        ))}
      </ul>
      <div className={classes.actions}>
        <ErrorText error={zipping.error} size="sm" />
        <Button
          size="xs"
          variant="default"
          leftSection={<FolderArchive size={14} aria-hidden />}
          loading={zipping.isPending}
          onClick={() => zipping.mutate()}
        >
          Download all (ZIP)
        </Button>
      </div>
    </div>
  )
}
