import { Code, Text } from '@mantine/core'
import type { CredentialAction, CredentialManifest } from '../../api/credentials.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { fullTime } from '../../ui/format.ts'
import { Assertions } from './assertions.tsx'
import classes from './details.module.css'
import type { GraphNode } from './graph.ts'
import type { HistoryImage } from './history.ts'
import { AiLine } from './node-card.tsx'
import { Section } from './section.tsx'
import { AiMark, StateMark } from './state-mark.tsx'
import { actionText, originOfAction, relationshipText, sourceTypeText } from './texts.ts'

/** Everything that is known about the selected card. */
export function Details({ node: { kind, image } }: { node: GraphNode }) {
  const { title, relationship, mediaType, credentials } = image
  const name = title === '' ? 'Without a name' : title
  if (kind === 'actions')
    return (
      <>
        <h3 className={classes.title}>Actions of {name}</h3>
        <Actions actions={credentials?.actions ?? []} />
      </>
    )
  return (
    <>
      <h3 className={classes.title}>{name}</h3>
      <div className={classes.marks}>
        <StateMark image={image} />
        <AiLine image={image} />
      </div>
      {relationship !== undefined && (
        <Text size="xs" c="dimmed">
          {[relationshipText(relationship), mediaType].filter(Boolean).join(' · ')}
        </Text>
      )}
      {credentials === null ? (
        <Text size="sm" mt="sm">
          This image had no Content Credentials when it was used, so its history is unknown.
        </Text>
      ) : (
        <Manifest credentials={credentials} image={image} />
      )}
    </>
  )
}

function Manifest({ credentials, image }: { credentials: CredentialManifest; image: HistoryImage }) {
  const { problems, signer, claimGenerator, actions, assertions, title } = credentials
  const isIngredient = image.relationship !== undefined
  const facts = [
    ['Signer', signer?.issuer],
    ['Certificate', signer?.commonName],
    ['Algorithm', signer?.algorithm],
    ['Time', signer ? (signer.time ? fullTime(signer.time) : 'Unknown: no time stamp') : undefined],
    ['Program', claimGenerator],
    ['Signed as', title === image.title ? undefined : title],
  ] as const
  return (
    <>
      {problems.length > 0 && (
        <Section title="Problems">
          <ul className={classes.problems}>
            {problems.map(({ code, message }) => (
              <li key={`${code} ${message}`}>
                {message} <Code>{code}</Code>
              </li>
            ))}
          </ul>
          {isIngredient && (
            <Text size="xs" c="dimmed" mt={4}>
              As recorded when this image was used.
            </Text>
          )}
        </Section>
      )}
      <Section title="Signature">
        {signer === null && <Text size="sm">The signature can’t be read.</Text>}
        <FactList facts={facts.filter(([, value]) => value !== undefined)} />
      </Section>
      {actions.length > 0 && (
        <Section title="Actions">
          <Actions actions={actions} />
        </Section>
      )}
      <Assertions assertions={assertions} />
    </>
  )
}

/** The actions in the order in which they were done. */
function Actions({ actions }: { actions: readonly CredentialAction[] }) {
  return (
    <ol className={classes.actions}>
      {actions.map((action, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: The list never changes, and actions can be equal.
        <li key={index}>
          <Action action={action} />
        </li>
      ))}
    </ol>
  )
}

function Action({ action }: { action: CredentialAction }) {
  const { description, softwareAgent, when } = action
  const source = sourceTypeText(action)
  return (
    <>
      <span className={classes.action}>{actionText(action)}</span>
      {description !== undefined && <div>{description}</div>}
      {originOfAction(action) ? <AiMark>{source}</AiMark> : source && <div className={classes.quiet}>{source}</div>}
      {softwareAgent !== undefined && (
        <div className={classes.quiet}>
          {originOfAction(action) ? 'Model' : 'Program'}: {softwareAgent}
        </div>
      )}
      {when !== undefined && <div className={classes.quiet}>{fullTime(when) || when}</div>}
    </>
  )
}
