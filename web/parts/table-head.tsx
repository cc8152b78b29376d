/** The head of a table: the name of an icon column is only for screen readers, and some columns are hidden on a phone. */
export interface Column {
  readonly name: string;
  readonly hidden?: boolean;
  readonly number?: boolean;
  readonly wide?: boolean;
}

export const TableHead = ({ columns }: { readonly columns: readonly Column[] }) => (
  <thead>
    <tr>
      {columns.map(({ name, hidden, number, wide }) => (
        <th key={name} scope="col" class={[number ? 'num' : '', wide ? 'hide-s' : ''].filter(Boolean).join(' ')}>
          {hidden ? <span class="vh">{name}</span> : name}
        </th>
      ))}
    </tr>
  </thead>
);
