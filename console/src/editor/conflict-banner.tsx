import { Alert, Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useStore } from 'zustand'
import { draftQuery, invalidateDraft } from '../api/drafts.ts'
import { asDocument, emptyDocument } from '../api/read-document.ts'
import { documentQuery } from '../api/workflows.ts'
import { useEditor } from './state/editor-context.ts'

/** Lets the user choose a version after another editor saved the draft. */
export function ConflictBanner() {
  const { workflowId, autosave, document: store } = useEditor()
  const { kind } = useStore(autosave.state)
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  if (kind !== 'conflict') return null
  const resolve = async (choice: 'theirs' | 'ours') => {
    setBusy(true)
    try {
      const theirs = await queryClient.fetchQuery(draftQuery(workflowId))
      void invalidateDraft(queryClient, workflowId)
      if (choice === 'ours') await autosave.keepOurs(theirs?.revision)
      else {
        // Without a draft, the other editor published or discarded it: the newest version is theirs.
        const stored =
          theirs?.document ?? (await queryClient.fetchQuery({ ...documentQuery(workflowId), staleTime: 0 }))
        const document = asDocument(stored) ?? emptyDocument
        store.getState().replace('Load the other changes', document)
        autosave.accept(document, theirs?.revision)
      }
    } finally {
      setBusy(false)
    }
  }
  return (
    <Alert color="yellow" radius={0} role="alert" title="This draft was changed in another place">
      <Group gap="sm">
        <Text size="sm">Your changes are kept here, and aren’t saved until you choose.</Text>
        <Button size="xs" variant="default" loading={isBusy} onClick={() => void resolve('theirs')}>
          Load theirs
        </Button>
        <Button size="xs" loading={isBusy} onClick={() => void resolve('ours').catch(() => undefined)}>
          Keep mine
        </Button>
      </Group>
    </Alert>
  )
}
