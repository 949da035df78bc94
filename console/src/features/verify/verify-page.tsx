import '@mantine/dropzone/styles.css'
import { Button, Center, Group, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, FileSearch } from 'lucide-react'
import { useState } from 'react'
import { type VerifiedSource, verificationQuery } from '../../api/credentials.ts'
import { FileButton } from '../../ui/file-button.tsx'
import { Page } from '../../ui/page.tsx'
import { VerifiedFile } from './verified-file.tsx'
import classes from './verify-page.module.css'

const route = getRouteApi('/shell/verify')
const title = 'Verify'

/** Verifies a stored image, or a file that is chosen or dropped, and shows its history. */
export function VerifyPage() {
  const { image } = route.useSearch()
  const navigate = useNavigate()
  const [selected, setSelected] = useState<{ file: File; number: number }>()
  const choose = (file: File | null | undefined) => {
    if (!file) return
    setSelected(({ number } = { file, number: 0 }) => ({ file, number: number + 1 }))
    void navigate({ to: '/verify', search: {} })
  }
  const source: VerifiedSource | undefined = image === undefined ? selected : { imageId: image }
  return (
    <>
      <Dropzone.FullScreen onDrop={([file]) => choose(file as File)}>
        <Center h="80vh">
          <Stack align="center" gap="xs">
            <FileSearch size={44} aria-hidden />
            <Text size="lg" fw={550}>
              Drop a file to verify it
            </Text>
          </Stack>
        </Center>
      </Dropzone.FullScreen>
      {source === undefined ? (
        <Page title={title} docs="content-credentials">
          <ChooseFile onChoose={choose} />
        </Page>
      ) : (
        <VerifiedPage source={source} onChoose={choose} />
      )}
    </>
  )
}

interface ChooseProps {
  onChoose(file: File | null): void
}

function VerifiedPage({ source, onChoose }: ChooseProps & { source: VerifiedSource }) {
  const queryClient = useQueryClient()
  const query = useQuery(verificationQuery(source, queryClient))
  const name = 'file' in source ? source.file.name : query.data?.file.name
  return (
    <Page title={name ?? title} docs="content-credentials" actions={<ChooseButton onChoose={onChoose} isQuiet />}>
      {'imageId' in source && (
        <Group mt={-8} mb="lg">
          <Button
            component={Link}
            to="/storage"
            search={{ image: source.imageId } as never}
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<ArrowLeft size={14} aria-hidden />}
          >
            Image in Storage
          </Button>
        </Group>
      )}
      <VerifiedFile query={query} />
    </Page>
  )
}

function ChooseFile({ onChoose }: ChooseProps) {
  return (
    <div className={classes.choose}>
      <FileSearch size={36} aria-hidden className={classes.icon} />
      <Text fw={550}>Drop an image here to see its history</Text>
      <Text size="sm" c="dimmed" maw={460} ta="center">
        Content Credentials (C2PA) say who signed a file, whether it has changed since, and how it was made. The file is
        verified, but not stored.
      </Text>
      <ChooseButton onChoose={onChoose} />
    </div>
  )
}

function ChooseButton({ onChoose, isQuiet = false }: ChooseProps & { isQuiet?: boolean }) {
  return (
    <FileButton onChange={onChoose}>
      {(props) => (
        <Button
          variant={isQuiet ? 'default' : 'filled'}
          mt={isQuiet ? 0 : 'sm'}
          leftSection={<FileSearch size={16} aria-hidden />}
          {...props}
        >
          {isQuiet ? 'Verify another file' : 'Verify a file'}
        </Button>
      )}
    </FileButton>
  )
}
