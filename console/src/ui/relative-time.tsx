import { Text, type TextProps, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { fullTime, timeAgo } from './format.ts'

const everyMs = 30_000

/** A relative time. The tooltip shows the exact time. */
export function RelativeTime({ at, ...props }: { at: string } & TextProps) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <Tooltip label={fullTime(at)} openDelay={300}>
      <Text component="time" dateTime={at} inherit {...props}>
        {timeAgo(at, now)}
      </Text>
    </Tooltip>
  )
}
