/** Names that no other process uses at the same time. They can be guessed, so they are no secrets. */
let made = 0;

export function uniqueName(): string {
  made += 1;
  const chance = Math.floor(Math.random() * 0x1_0000_0000);
  return [process.pid, process.hrtime.bigint() % 0x1_0000_0000n, chance, made].map(part => part.toString(16)).join('');
}
