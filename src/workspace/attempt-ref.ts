/** Where an attempt that was not accepted is kept; the item's id in a form that git takes. */
export function attemptRef(run: string, item: string, attempt: number | string): string {
  const safe =
    item
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/\.{2,}/g, '.')
      .slice(0, 100)
      .replace(/^[.-]+|[.-]+$|\.lock$/g, '') || 'item';
  return `refs/ralph/${run}/${safe}/${attempt}`;
}
