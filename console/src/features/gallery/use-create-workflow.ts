/** Creates workflows. Each starts as a draft and opens in the editor. */

import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createDraft, draftQuery, invalidateDraft } from '../../api/drafts.ts'
import { emptyDocument } from '../../api/read-document.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { documentQuery } from '../../api/workflows.ts'
import { showError } from '../../ui/show-error.ts'
import type { Entry } from './entries.ts'

export function useCreateWorkflow(projectId: string | undefined) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const open = (workflowId: string) => navigate({ to: '/workflows/$workflowId', params: { workflowId } })
  const onError = (error: Error) => showError('The workflow wasn’t created', error)

  const creating = useMutation({
    mutationFn: (document: WorkflowDocument) =>
      createDraft({ document, ...(projectId === undefined ? {} : { projectId }) }),
    async onSuccess({ workflowId }) {
      await open(workflowId)
      await invalidateDraft(queryClient, workflowId)
    },
    onError,
  })

  const duplicating = useMutation({
    async mutationFn({ workflowId, name, projectId: home, draft }: Entry) {
      const draftDetail = draft === undefined ? null : await queryClient.fetchQuery(draftQuery(workflowId))
      const document = draftDetail?.document ?? (await queryClient.fetchQuery(documentQuery(workflowId)))
      return createDraft({ document: { ...document, name: copyName(name) }, projectId: home })
    },
    async onSuccess({ workflowId, name }) {
      notifications.show({ title: 'Duplicated', message: `${name} is a draft until you publish it.` })
      await invalidateDraft(queryClient, workflowId)
    },
    onError,
  })

  return {
    create: (document: WorkflowDocument = emptyDocument) => creating.mutate(document),
    duplicate: (entry: Entry) => duplicating.mutate(entry),
    isCreating: creating.isPending,
  }
}

/** The name of a copy: `Card copy`, then `Card copy 2`. */
export function copyName(name: string): string {
  const [, stem = name, number] = /^(.*? copy)(?: (\d+))?$/.exec(name) ?? []
  return stem === name && number === undefined && !name.endsWith(' copy')
    ? `${name} copy`
    : `${stem} ${Number(number ?? 1) + 1}`
}
