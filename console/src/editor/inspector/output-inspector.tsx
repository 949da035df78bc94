import { Text } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import { GroupIcon } from '../../ui/group-icon.tsx'
import { connect } from '../document/edits.ts'
import { joinPath, setAt } from '../document/path.ts'
import { outputId, outputSocket } from '../document/wires.ts'
import { Problems } from '../form/field-frame.tsx'
import { SchemaForm } from '../form/schema-form.tsx'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'
import { useIssuesOf } from './issues.ts'
import { SourceSelect } from './node-sockets.tsx'
import { outputSchemaFor } from './output-schema.ts'
import { OutputsSection } from './outputs-editor.tsx'

const none: Readonly<Record<string, unknown>> = {}

/** The output: its node and the file settings. */
export function OutputInspector() {
  const store = useEditor().document
  const output = useDocument(({ document }) => document.output) ?? none
  const all = useIssuesOf('output')
  const focus = useDocument((state) => state.focus)
  const onChange = useCallback(
    (path: string, value: unknown) =>
      store
        .getState()
        .change(`Change ${path} of the output`, (document) => setAt(document, joinPath('output', path), value), {
          key: `output.${path}`,
        }),
    [store],
  )
  const onRemove = useCallback(
    (names: readonly string[]) =>
      store.getState().change(`Remove ${names.join(', ')} of the output`, ({ output }) => {
        for (const name of names) delete output?.[name]
      }),
    [store],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: only these settings change the fields and their defaults
  const schema = useMemo(() => outputSchemaFor(output), [output.format, output.maxBytes, output.effort])
  const nodeIssues = all.filter(({ path }) => path === 'output.node' || path === 'output')
  return (
    <>
      <div className={classes.head}>
        <div className={classes.title}>
          <GroupIcon group="output" />
          <Text component="h2" fw={650}>
            Output
          </Text>
        </div>
        <Text size="sm" c="dimmed">
          The image that an execution returns, and its file format. It can make other outputs, too.
        </Text>
      </div>
      <div className={classes.body}>
        <section className={classes.section} aria-labelledby="inspector-inputs">
          <h3 className={classes.heading} id="inspector-inputs">
            Image
          </h3>
          <div data-path="output.node">
            <SourceSelect
              target={outputId}
              socket={outputSocket}
              value={typeof output.node === 'string' ? output.node : null}
              label="Node of the output"
              placeholder="Choose a node"
              isWrong={nodeIssues.length > 0 && output.node !== undefined}
              onPick={(source) =>
                store
                  .getState()
                  .change(`Make ${source} the output`, (document) =>
                    connect(document, { source, target: outputId, socket: outputSocket }, false),
                  )
              }
            />
            <Problems
              id="output-problem"
              name="The node"
              problems={nodeIssues.map(({ message }) => message)}
              isMissing={output.node === undefined}
            />
          </div>
        </section>
        <section className={classes.section} aria-label="File">
          <SchemaForm
            schema={schema}
            values={output}
            onChange={onChange}
            onRemove={onRemove}
            path="output"
            issues={all.filter(({ path }) => path !== 'output.node' && path !== 'output')}
            focus={focus}
          />
        </section>
        <OutputsSection />
      </div>
    </>
  )
}
