/** A guard's finding, under its line. */
import type { Finding } from '../../src/protocol.ts';
import { Words } from '../parts/bits.tsx';
import { Said, type SealName } from '../parts/seal.tsx';

export function Notes({ findings, item }: { readonly findings: readonly Finding[]; readonly item: string }) {
  if (findings.length === 0) return null;
  return (
    <div class="in notes">
      {findings.map((finding, index) => (
        <Note key={index} finding={finding} item={item} />
      ))}
    </div>
  );
}

const LEVELS: Readonly<Record<Finding['level'], readonly [SealName, string]>> = {
  block: ['no', 'guard, blocks the attempt'],
  warn: ['warn', 'guard, accepted and shown'],
  note: ['notrun', 'guard, noted'],
};

export function Note({ finding, item }: { readonly finding: Finding; readonly item: string }) {
  const [seal, words] = LEVELS[finding.level];
  return (
    <div class={`box ${finding.level}`} data-finding={finding.rule} tabIndex={-1}>
      <span>
        <Said seal={seal} size={14}>
          {finding.rule}
        </Said>{' '}
        <span class="quiet">{words}</span>
      </span>
      <span>
        <Words text={finding.message} />
      </span>
      {finding.level === 'block' ? (
        <span class="quiet">
          To allow it for {item}: <code>{`"allow": ["${finding.rule}${finding.path ? `:${finding.path}` : ''}"]`}</code>{' '}
          in the plan.
        </span>
      ) : null}
    </div>
  );
}
