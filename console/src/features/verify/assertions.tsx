import { Anchor, Button, CopyButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { executionQuery } from '../../api/executions.ts'
import { workflowQuery } from '../../api/workflows.ts'
import { CopyIcon } from '../../ui/copy-icon.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import classes from './assertions.module.css'
import { Section } from './section.tsx'

/** Label of the assertion with the facts of an execution. */
export const executionLabel = 'com.tintype.execution'

/** The facts that programs recorded, in the words of the console if they are about an execution. */
export function Assertions({ assertions }: { assertions: Record<string, unknown> }) {
  return Object.entries(assertions).map(([label, data]) => {
    const facts = Object.entries(isRecord(data) ? data : { value: data }).sort(([a], [b]) => rankOf(a) - rankOf(b))
    return (
      <Section key={label} title={label === executionLabel ? 'Execution' : label}>
        <FactList
          facts={facts.map(([name, value]) =>
            label === executionLabel
              ? [names[name] ?? name, <Fact key={name} name={name} value={value} />]
              : [name, value],
          )}
        />
        <CopyButton value={JSON.stringify(data, null, 2)}>
          {({ copied, copy }) => (
            <Button size="xs" mt="xs" variant="default" leftSection={<Copy size={14} aria-hidden />} onClick={copy}>
              {copied ? 'Copied' : 'Copy as JSON'}
            </Button>
          )}
        </CopyButton>
      </Section>
    )
  })
}

const names: Record<string, string> = {
  execution: 'Execution',
  workflow: 'Workflow',
  version: 'Workflow version',
  draft: 'Draft',
  document: 'Hash of the document',
  parameters: 'Hash of the parameters',
  inputs: 'Hashes of the sources',
  operations: 'Versions of the operations',
  pixels: 'Hashes of the pixels',
  seeds: 'Seeds',
  encodedBytesMax: 'Size limit in bytes',
  engine: 'Version of Tintype',
}

/** Known facts first, in the order above. */
function rankOf(name: string): number {
  const rank = Object.keys(names).indexOf(name)
  return rank < 0 ? Object.keys(names).length : rank
}

/** Ids and hashes can be copied. Ids of this account are links. */
function Fact({ name, value }: { name: string; value: unknown }) {
  if (name === 'execution' && typeof value === 'string') return <ExecutionLink id={value} />
  if (name === 'workflow' && typeof value === 'string') return <WorkflowLink id={value} />
  if (Array.isArray(value)) return <Hashes hashes={value.map((hash, index) => [`source ${index + 1}`, String(hash)])} />
  if (name === 'pixels' && isRecord(value))
    return <Hashes hashes={Object.entries(value).map(([node, hash]) => [node, String(hash)])} />
  if (isRecord(value))
    return Object.entries(value)
      .map(([key, field]) => `${key} ${typeof field === 'object' ? JSON.stringify(field) : field}`)
      .join(', ')
  if (typeof value === 'string' && value.length >= hashLength) return <Value value={value} name={names[name] ?? name} />
  return value === true ? 'Yes' : String(value)
}

/** Length of SHA-256, in hex. */
const hashLength = 64
const hashesMax = 5

function Hashes({ hashes }: { hashes: readonly (readonly [name: string, hash: string])[] }) {
  const rest = hashes.length - hashesMax
  return (
    <>
      {hashes.length === 0 && 'None'}
      {hashes.slice(0, hashesMax).map(([name, hash]) => (
        <Value key={name} value={hash} name={`hash of ${name}`}>
          {name}
        </Value>
      ))}
      {rest > 0 && `and ${rest} more`}
    </>
  )
}

/** Existence can only be checked for ids of the right form: the file can contain any text. */
const idPattern = /^(exec|wf)_[0-9a-z]{1,40}$/

function ExecutionLink({ id }: { id: string }) {
  const { data } = useQuery({ ...executionQuery(id), enabled: idPattern.test(id) })
  return (
    <Value value={id} name="execution id">
      {data !== undefined && (
        <Anchor component={Link} to="/executions/$executionId" params={{ executionId: id } as never} inherit>
          View the execution
        </Anchor>
      )}
    </Value>
  )
}

function WorkflowLink({ id }: { id: string }) {
  const { data } = useQuery({ ...workflowQuery(id), enabled: idPattern.test(id) })
  return (
    <Value value={id} name="workflow id">
      {data != null && (
        <Anchor component={Link} to="/workflows/$workflowId" params={{ workflowId: id } as never} inherit>
          {data.name}
        </Anchor>
      )}
    </Value>
  )
}

function Value({ value, name, children }: { value: string; name: string; children?: ReactNode }) {
  return (
    <span className={classes.value}>
      <span className={classes.text}>
        {children}
        <code title={value}>{value}</code>
      </span>
      <CopyIcon value={value} label={`Copy the ${name}`} />
    </span>
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
