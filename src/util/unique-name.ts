/** Names that nobody else has at the same moment. No secrets: those who make them look whether they were first. */
let made = 0;

export function uniqueName(): string {
  made += 1;
  const chance = Math.floor(Math.random() * 0x1_0000_0000);
  return [process.pid, process.hrtime.bigint() % 0x1_0000_0000n, chance, made].map(part => part.toString(16)).join('');
}
