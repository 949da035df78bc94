import { useIntersection } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { draftQuery } from '../../api/drafts.ts'
import { documentQuery } from '../../api/workflows.ts'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import classes from './card.module.css'
import type { Entry } from './entries.ts'
import { OutlineDrawing } from './outline.tsx'

/** The last output of the workflow, the shipped image of an example that has not run, or a drawing of the graph. */
export function CardImage({ entry }: { entry: Entry }) {
  const [isBroken, setBroken] = useState(false)
  const { lastOutput } = entry
  if (lastOutput === undefined || isBroken) return <Drawing entry={entry} />
  const { url, thumbnailUrl, width, height } = lastOutput
  return (
    <div className={classes.image}>
      <Thumbnail
        url={url}
        thumbnailUrl={thumbnailUrl}
        width={width}
        height={height}
        alt=""
        className="tt-checker"
        onError={() => setBroken(true)}
      />
    </div>
  )
}

function Drawing({ entry: { workflowId, name, draft } }: { entry: Entry }) {
  const { ref, entry } = useIntersection({ rootMargin: '200px' })
  const enabled = entry?.isIntersecting ?? false
  const drafted = useQuery({
    ...draftQuery(workflowId),
    queryKey: ['workflow', workflowId, 'draft', 'drawing'],
    enabled: enabled && draft === 'new',
    staleTime: 15_000,
  })
  const published = useQuery({ ...documentQuery(workflowId), enabled: enabled && draft !== 'new' })
  const document = draft === 'new' ? drafted.data?.document : published.data
  const { data: example } = useQuery({
    queryKey: ['workflow', workflowId, 'example', name],
    queryFn: async () => {
      const { exampleImage } = await import('./shipped-examples.ts')
      return (published.data && exampleImage(published.data)) ?? null
    },
    enabled: published.data !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isExampleKnown = draft === 'new' || example !== undefined
  return (
    <div ref={ref} className={classes.image}>
      {example ? (
        <img src={example} alt="" className="tt-checker" />
      ) : (
        document && isExampleKnown && <OutlineDrawing document={document} />
      )}
    </div>
  )
}
