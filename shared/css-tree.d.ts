/** The bundle of css-tree, which loads five times as fast as its modules. */
declare module 'css-tree/dist/csstree.esm' {
  export * from 'css-tree'
}
