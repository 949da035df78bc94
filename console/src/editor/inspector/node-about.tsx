import { Button, Group } from '@mantine/core'
import { memo } from 'react'
import type { Operation } from '../../api/types.ts'
import { counted } from '../../ui/format.ts'
import { Fold } from '../form/fold.tsx'
import { useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'

const alphaWords = {
  kept: 'kept for each pixel',
  moved: 'moves with the pixels',
  made: 'set by the operation',
}
const framesWords = {
  each: 'each frame separately',
  whole: 'all frames together',
  first: 'first frame only',
  none: 'no image input',
}

/** The reference of the operation, with examples to fill in. */
export const NodeAbout = memo(function NodeAbout({ id, operation }: { id: string; operation: Operation }) {
  const store = useEditor().document
  const { title, examples, outputs, alpha, frames } = operation
  const use = (name: string, params: Record<string, unknown>) =>
    store.getState().change(`Fill ${id} from “${name}”`, (document) => {
      const node = document.nodes[id]
      if (node !== undefined) node.params = structuredClone(params)
    })
  return (
    <section className={classes.section} aria-label="About">
      <Fold title={`About ${title}`} note={examples.length > 0 ? counted(examples.length, 'example') : ''}>
        <dl className={classes.facts}>
          <dt>Output</dt>
          <dd>{outputs.image ?? 'no image'}</dd>
          {Object.keys(outputs.values).length > 0 && (
            <>
              <dt>Values</dt>
              <dd>{Object.keys(outputs.values).join(', ')}</dd>
            </>
          )}
          <dt>Transparency</dt>
          <dd>{alphaWords[alpha]}</dd>
          <dt>Animations</dt>
          <dd>{framesWords[frames]}</dd>
        </dl>
        {examples.length > 0 && (
          <>
            <h3 className={classes.heading}>Fill in from an example</h3>
            <Group gap={4}>
              {examples.map(({ name, params }) => (
                <Button key={name} variant="default" size="xs" onClick={() => use(name, params)}>
                  {name}
                </Button>
              ))}
            </Group>
          </>
        )}
      </Fold>
    </section>
  )
})
