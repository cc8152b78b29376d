/** Looking up a name takes ten minutes, and keeps the program as long as that. */
import dns from 'node:dns';

const { lookup } = dns;
dns.lookup = (name, ...rest) =>
  name.includes('takes-long') ? void setTimeout(() => lookup(name, ...rest), 600_000) : lookup(name, ...rest);
