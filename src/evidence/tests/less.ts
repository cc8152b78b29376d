/** Assertions that name the same thing and leave out a part of what they asked for. */
import type { Assertion } from './assertions.ts';

/** Words whose arguments are what is asked for, and no text for the reader. */
const MEANT =
  /\b(?:raise_(?:error|exception)|raises|assertRaises\w*|assertThrows|assertWarns\w*|toThrow\w*|throws\w*|rejects|toHave(?:Attribute|Property|CSS|Style|Value|Text|TextContent|Class|JSProperty)|toContainText|have\.(?:attr|css|prop|property|text|value)|\w*CalledWith\w*|called\w*With\w*|assert_called\w*|have_received|with|have_attributes|assertContains|assert_enqueued_with|have_http_status|have_enqueued_\w+)\b/;
const SNAPSHOT = /\.to(?:Match|ThrowErrorMatching)(?:File)?Snapshot\(|\bsnapshot\(|== ?snapshot\b|\bmatch_snapshot\b/;
const STATE =
  /\.(?:not\.)?to(?:BeDisabled|BeEnabled|BeChecked|BePartiallyChecked|BeFocused|HaveFocus|BeRequired|BeInvalid|BeValid|BeEditable|BeReadOnly|BeSelected|HaveClass|HaveValue|HaveTextContent|HaveAttribute|HaveText|HaveCount)\(|\.should\.(?:not\.)?(?:be\.(?:disabled|enabled|checked|focused|selected)|have\.\w+)\(/;
const PRESENT =
  /\.to(?:BeInTheDocument|BeVisible|BeAttached|Exist|BeDefined|BeTruthy)\(\)$|\.should\.(?:exist|be\.visible)\(\)$/;
const WITH = /[cC]alled(?:Once)?With|called_(?:once_)?with|have_received\(.*\.with\(|any_call\(|has_calls\(/;
const CALLS = /[cC]alled|call_?[cC]ount|have_received|mock_calls|\.calls\b/;

/** Why the new one asks for less, by what it leaves out. */
export function asksLess(old: Assertion, now: Assertion): boolean {
  const lost = old.literals.filter(literal => !now.literals.includes(literal));
  const won = now.literals.filter(literal => !old.literals.includes(literal) && !/^[01]$/.test(literal));
  if (won.length > 0) return false;
  if (lost.length > 0 && SNAPSHOT.test(now.text) && !SNAPSHOT.test(old.text)) return true;
  if (STATE.test(old.text) && PRESENT.test(now.text) && old.subject === now.subject) return true;
  if (lost.length > 0 && WITH.test(old.text) && !WITH.test(now.text) && CALLS.test(now.text)) return true;
  if (/\.(?:once|twice|exactly\()/.test(old.text) && /\.at_least\(/.test(now.text)) return true;
  return lost.length > 0 && MEANT.test(now.text) && isShortened(old.text, now.text);
}

const tokens = (text: string): readonly string[] =>
  text
    .replace(/(?<=assert(?:Raises|Warns))Regex|(?<=toThrow)Error/, '')
    .match(/'(?:\\.|[^'\\])*'|\/(?:\\.|[^/\\\n])+\/|[\w.]+/g) ?? [];

/** Every word of the new one stands in the old one, in the same order. */
function isShortened(old: string, now: string): boolean {
  const words = tokens(old);
  let at = 0;
  for (const word of tokens(now)) {
    while (at < words.length && words[at] !== word) at += 1;
    if (at === words.length) return false;
    at += 1;
  }
  return now.length < old.length && !/status_code=(?:200|302)\)?$/.test(old.replace(now.slice(0, -1), ''));
}

/** A field or a row of what was compared as a whole. */
export function isPartOf(old: Assertion, now: Assertion): boolean {
  if (old.strength < 4 || old.subject.length < 2 || now.subject === old.subject) return false;
  const [whole, part] = [old.subject, now.subject];
  if (part.startsWith(whole))
    return /^(?:\.(?!length|size|count|to_a|toArray|call)[a-z_]\w*(?!\w*\()|\.(?:map|pluck|collect)\b|\[)/.test(
      part.slice(whole.length),
    );
  // `[row.name for row in rows()]`, `set(rows())`, `sum(…)`
  return /^(?:\[|\{|set\(|sum\(|sorted\(|any\(|all\(|max\(|min\(|round\()/.test(part) && part.includes(whole);
}
