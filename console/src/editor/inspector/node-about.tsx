import { Button, Group } from '@mantine/core'
import type { Operation } from '../../api/types.ts'
import { Fold } from '../form/fold.tsx'
import { useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'

const alphaWords = {
  kept: 'every pixel keeps its own',
  moved: 'goes where the pixels go',
  made: 'as the operation decides',
}
const framesWords = {
  each: 'every frame by itself',
  whole: 'all frames together',
  first: 'only the first frame counts',
  none: 'takes no image',
}

/** The reference of the operation, with examples to fill in. */
export function NodeAbout({ id, operation }: { id: string; operation: Operation }) {
  const store = useEditor().document
  const { title, examples, outputs, alpha, frames } = operation
  const use = (name: string, params: Record<string, unknown>) =>
    store.getState().change(`Fill ${id} as in “${name}”`, (document) => {
      const node = document.nodes[id]
      if (node !== undefined) node.params = structuredClone(params)
    })
  return (
    <section className={classes.section} aria-label="About">
      <Fold title={`About ${title}`} note={examples.length > 0 ? `${examples.length} examples` : ''}>
        <dl className={classes.facts}>
          <dt>Gives</dt>
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
            <h3 className={classes.heading}>Fill in as in an example</h3>
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
}
