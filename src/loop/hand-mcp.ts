/** The MCP server that an agent gets if `mcp` is on, and the context that the server reads. */
import { redact } from '../audit/index.ts';
import { type McpContext, mcpCommand } from '../mcp/index.ts';
import type { AgentOptions, Item } from '../protocol.ts';
import { itemOf, statusIn } from '../state.ts';
import { writeFresh } from '../util/files.ts';
import { ownFolder } from '../util/own-folder.ts';
import { inboxOf } from './inbox.ts';
import type { Session } from './session.ts';

export interface McpRequest {
  readonly item: Item;
  readonly iteration: number;
  readonly attempt: number;
  readonly lease: string;
  readonly lessons: McpContext['lessons'];
}

/** More than a brief has room for. */
const FEEDBACK = 32 * 1024;

export function handMcp(session: Session, request: McpRequest): Pick<AgentOptions, 'mcp'> {
  if (!session.settings.mcp) return {};
  const { iteration } = request;
  const inbox = inboxOf(session, request.lease);
  ownFolder(session.options.folder.root, inbox);
  const context = session.fileOf(iteration, 'context.json');
  writeFresh(context, JSON.stringify(contextOf(session, request)));
  const [command = '', ...args] = mcpCommand({ context, inbox });
  const config = session.fileOf(iteration, 'mcp.json');
  // Newer versions of Claude Code show a model only the names of tools, which it then has to look up; these few should be available at
  // once.
  const server = { command, args, alwaysLoad: true };
  writeFresh(config, JSON.stringify({ mcpServers: { ralph: server } }, undefined, 2));
  return { mcp: { command, args, config } };
}

function contextOf(session: Session, { item, attempt, lessons }: McpRequest): McpContext {
  const { state, settings } = session;
  const { plan } = session.plan;
  const known = itemOf(state, item.id);
  const { id, title, body, criteria, verify } = item;
  return {
    run: state.run,
    attempt,
    attempts: Math.max(settings.limits.attempts, attempt),
    item: { id, title, body, criteria, verify },
    failures: {
      rejected: known.attempts,
      feedback: redact(known.feedback.slice(-FEEDBACK)),
      refs: known.refs,
    },
    answers: known.answers ?? [],
    lessons: lessons.map(lesson => ({ id: lesson.id, kind: lesson.kind, text: lesson.text })),
    plan: {
      path: session.options.planInTree ?? plan.path,
      name: plan.name,
      items: plan.items.map(each => ({
        id: each.id,
        title: each.title,
        status: statusIn(state, each),
      })),
    },
  };
}
