/** What is in submodules, by path: the commit that the tree around one names, and the tree of the files that are in it. */
export type InnerTrees = Readonly<Record<string, { readonly commit: string; readonly tree: string }>>;
