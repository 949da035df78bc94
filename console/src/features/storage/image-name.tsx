import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeImage } from '../../api/images.ts'

interface ImageNameProps {
  image: { id: string; name: string }
  /** Closes the field of a card, which takes the focus. */
  onEnd?: (() => void) | undefined
}

/** The name of an image, to edit. Enter and leaving the field save it, Escape restores it. */
export function ImageName({ image, onEnd }: ImageNameProps) {
  const queryClient = useQueryClient()
  const [text, setText] = useState<string>()
  const saving = useMutation({
    mutationFn: (name: string) => changeImage(queryClient, image.id, { name }),
    onSuccess() {
      setText(undefined)
      onEnd?.()
    },
  })
  const save = () => {
    const name = text?.trim()
    if (saving.isPending) return
    if (name === undefined || name === '' || name === image.name) {
      setText(undefined)
      return onEnd?.()
    }
    saving.mutate(name)
  }
  return (
    <TextInput
      size="xs"
      aria-label={`Name of ${image.name}`}
      value={text ?? image.name}
      maxLength={255}
      error={saving.error?.message}
      // A person chose to rename the card.
      autoFocus={onEnd !== undefined}
      // As file managers do: the ending stays.
      onFocus={({ currentTarget }) => {
        const dot = currentTarget.value.lastIndexOf('.')
        if (onEnd !== undefined && dot > 0) currentTarget.setSelectionRange(0, dot)
      }}
      onChange={({ currentTarget }) => {
        saving.reset()
        setText(currentTarget.value)
      }}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save()
        if (event.key !== 'Escape') return
        // The dialog and the selection stay.
        event.stopPropagation()
        setText(undefined)
        saving.reset()
        onEnd?.()
      }}
    />
  )
}
