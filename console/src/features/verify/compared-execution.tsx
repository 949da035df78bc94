import { Alert, Button, Card, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, CircleMinus, CircleX, type LucideIcon, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { type Reexecution, reexecutionQuery, type Verification } from '../../api/credentials.ts'
import { Fold } from '../../editor/form/fold.tsx'
import classes from './compared-execution.module.css'

/** Executes the recorded execution of an output again, and compares the pixels. */
export function ComparedExecution({ verification }: { verification: Verification }) {
  const [isStarted, setStarted] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...reexecutionQuery(verification), enabled: isStarted })
  const start = () => (isStarted ? void refetch() : setStarted(true))
  return (
    <Card withBorder padding="md" component="section" aria-label="Comparison">
      <div className={classes.head}>
        <div role="status" className={classes.status}>
          {isFetching ? (
            <Text size="sm">Executing again … This takes as long as the execution, without the cache.</Text>
          ) : data == null ? (
            <Text size="sm">
              The file says which execution made it. Execute it again to see whether the pixels are the same. No
              provider is called.
            </Text>
          ) : (
            <Result comparison={data} />
          )}
        </div>
        <Button
          variant="default"
          leftSection={<RotateCcw size={16} aria-hidden />}
          loading={isFetching}
          onClick={start}
          className={classes.button ?? ''}
        >
          Execute again and compare
        </Button>
      </div>
      {error !== null && !isFetching && (
        <Alert color="red" mt="sm" role="alert">
          {error.message}
        </Alert>
      )}
      {data != null && !isFetching && <Steps comparison={data} />}
    </Card>
  )
}

const results: Record<Reexecution['result'], { text: string; Icon: LucideIcon }> = {
  equal: { text: 'Equal', Icon: CircleCheck },
  partial: { text: 'Equal, as far as it can be compared', Icon: CircleCheck },
  different: { text: 'Different', Icon: CircleX },
  impossible: { text: 'Not possible', Icon: CircleMinus },
}

function Result({ comparison: { result, message, output } }: { comparison: Reexecution }) {
  const { text, Icon } = results[result]
  const difference = output && differenceText(output)
  return (
    <>
      <span className={classes.mark} data-result={result}>
        <Icon size={20} aria-hidden />
        {text}
      </span>
      <Text size="sm">{message}</Text>
      {difference && (
        <Text size="sm" c="dimmed">
          {difference}
        </Text>
      )}
    </>
  )
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 })

/** Empty for equal pixels. */
function differenceText({ sameSize, differing, maxDifference }: NonNullable<Reexecution['output']>): string {
  if (!sameSize) return 'The new output has another size.'
  if (!differing) return ''
  const most = maxDifference === null ? '' : `, by at most ${maxDifference} of 255`
  return `${percent.format(differing)} of the pixels of the output differ${most}.`
}

type Step = Reexecution['steps'][number]

const stepResults: Record<Step['result'], { text: string; Icon: LucideIcon }> = {
  equal: { text: 'equal', Icon: CircleCheck },
  different: { text: 'different', Icon: CircleX },
  unknown: { text: 'not compared', Icon: CircleDashed },
  skipped: { text: 'not executed', Icon: CircleMinus },
}

/** More steps are folded in the beginning. */
const openStepsMax = 8

function Steps({ comparison: { steps, firstDifference } }: { comparison: Reexecution }) {
  if (steps.length === 0) return null
  const counts = Object.entries(stepResults).flatMap(([result, { text }]) => {
    const count = steps.filter((step) => step.result === result).length
    return count === 0 ? [] : [`${count} ${text}`]
  })
  return (
    <div className={classes.steps}>
      <Fold title="Steps" note={counts.join(', ')} isOpenAtFirst={steps.length <= openStepsMax}>
        <ol aria-label="Compared steps">
          {steps.map(({ node, operation, result, message }) => {
            const { text, Icon } = stepResults[result]
            return (
              <li key={node} data-first={node === firstDifference?.node || undefined}>
                <span className={classes.mark} data-result={result}>
                  <Icon size={15} aria-hidden />
                  {text}
                </span>
                <span className={classes.node}>{node}</span>
                <Text span size="xs" c="dimmed">
                  {[operation, node === firstDifference?.node && 'first difference', message]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </li>
            )
          })}
        </ol>
      </Fold>
    </div>
  )
}
