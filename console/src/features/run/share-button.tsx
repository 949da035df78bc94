import { Button } from '@mantine/core'
import { Share2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'

const ShareDialog = lazyPart(() => import('./share-dialog.tsx'), 'ShareDialog')

interface Props {
  workflowId: string
  /** The output that is shown at the moment. */
  exampleImageId: string | undefined
}

/** Opens the run links of the workflow. */
export function ShareButton(props: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="md" leftSection={<Share2 size={16} />} onClick={() => setIsOpen(true)}>
        Share…
      </Button>
      {isOpen && (
        <Suspense>
          <ShareDialog {...props} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
