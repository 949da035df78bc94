/** The theme: warm greys of an old photographic plate, and copper. Everything else is the default of Mantine. */
import { Alert, Anchor, Button, createTheme, type MantineColorsTuple } from '@mantine/core'

const copper: MantineColorsTuple = [
  '#fdf3ec',
  '#f8e2d3',
  '#f0c3a5',
  '#e9a576',
  '#e0915a',
  '#d0763a',
  '#b65f27',
  '#954c1e',
  '#763c18',
  '#5a2d12',
]

/** 0: text, 7: page, 6: cards, 4: lines. */
const dark: MantineColorsTuple = [
  '#ece7e1',
  '#cfc8bf',
  '#a89f95',
  '#7d746b',
  '#49423c',
  '#332e2a',
  '#252120',
  '#1a1716',
  '#141211',
  '#0e0d0c',
]

const gray: MantineColorsTuple = [
  '#faf8f5',
  '#f3f0eb',
  '#e8e3dc',
  '#dbd5cc',
  '#c3bbb0',
  '#a1988c',
  '#6a6259',
  '#574f47',
  '#38322d',
  '#211d1a',
]

/** Shades of red; from 6: dark enough for white text, and readable on white. */
const red: MantineColorsTuple = [
  '#fdf0ee',
  '#fbdfdb',
  '#f6bfb8',
  '#f2a097',
  '#f08c80',
  '#e4604f',
  '#c63a2b',
  '#b03124',
  '#97291e',
  '#7d2218',
]

const dialog = { closeButtonProps: { 'aria-label': 'Close', size: 'lg' } }

export const theme = createTheme({
  primaryColor: 'copper',
  // White text is readable on it in both schemes.
  primaryShade: { light: 6, dark: 6 },
  colors: { copper, dark, gray, red },
  black: '#211d1a',
  autoContrast: true,
  luminanceThreshold: 0.35,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: '620' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Links must be recognizable without colour.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // Yellow text on light yellow is not readable.
    Alert: Alert.extend({
      styles: (_, { color }) => (color === 'yellow' ? { title: { color: 'var(--mantine-color-text)' } } : {}),
    }),
    // A smaller button is hard to hit.
    Button: Button.extend({ vars: (_, { size }) => ({ root: size === 'xs' ? { '--button-height': '32px' } : {} }) }),
    // Without `extend`, which only checks types: these components are not loaded before they are shown.
    Modal: { defaultProps: dialog },
    Drawer: { defaultProps: dialog },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // The first item gets the focus. Mantine's focus placeholder would be a child of the menu without being an item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
})
