import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { executionsQuery, onThisOrigin } from '../../api/executions.ts'
import { ComparedOutputs } from '../../ui/compared-outputs.tsx'
import { FullImage } from '../../ui/thumbnail.tsx'
import { useDocument, useEditor, useRun } from '../state/editor-context.ts'
import { isOutdated } from '../state/outdated.ts'
import { pairOf } from './output-comparison.tsx'
import classes from './publish-pictures.module.css'
import { sideName } from './side.ts'

/** The last image of the draft, under a slider with that of the published version if it has one. `version`: the published one. */
export function PublishPictures({ version }: { version: number | undefined }) {
  const { workflowId } = useEditor()
  const past = useQuery(executionsQuery({ workflowId, status: 'completed' }, { limit: 100 }))
  const current = useRun(({ execution }) => execution)
  const nodes = useRun((run) => run.nodes)
  const executed = useRun((run) => run.executed)
  const document = useDocument((state) => state.document)
  const executions = past.data?.executions ?? []
  const ran = current?.draft === true && current.node === undefined && current.output !== undefined ? [current] : []
  const [before, after] = pairOf([...ran, ...executions], version ?? 0, 'draft')
  if (after?.output === undefined) return null
  const isOld = after === current && isOutdated({ execution: current, nodes, executed }, document, undefined)
  return (
    <section aria-label="Images">
      {before?.output === undefined || version === undefined ? (
        <>
          <div className={`${classes.picture} tt-checker`}>
            <FullImage
              url={onThisOrigin(after.output.url)}
              format={after.output.format}
              alt="Last image of the draft"
            />
          </div>
          <Text size="xs" c="dimmed" mt={4}>
            Draft · {after.output.width} × {after.output.height}
          </Text>
        </>
      ) : (
        <ComparedOutputs before={before} after={after} names={[sideName(version), sideName('draft')]} />
      )}
      {isOld && (
        <Text size="xs" c="dimmed">
          The image of the draft is from before its last change. Run it to see the image of this version.
        </Text>
      )}
    </section>
  )
}
